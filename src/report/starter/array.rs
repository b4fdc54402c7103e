//! Arrays among the arguments of a function of the handler.

use super::{
    expressions::{cast, from_word, number, zero},
    function::FunctionWriter,
    handler::Helper,
    names::SourceType,
};
use crate::model::handler::{ArgumentLeaf, ValueChoice};
use alloy_dyn_abi::DynSolType;

impl FunctionWriter<'_> {
    /// Writes an array and returns its name.
    pub(super) fn array(&mut self, leaf: &ArgumentLeaf, ty: &SourceType) -> String {
        if let ValueChoice::Given(function, index) = leaf.choice
            && self.input.model.functions[function].leaves[index].is_array
        {
            return self.earlier(&leaf.choice);
        }
        let seed = self.scope.name(&leaf.name, "items");
        let name = self.scope.name(&format!("{seed}_"), "list");
        let is_seeded = matches!(
            leaf.choice,
            ValueChoice::Any
                | ValueChoice::Account
                | ValueChoice::Range(..)
                | ValueChoice::UpTo(_)
                | ValueChoice::Later(_)
        );
        if is_seeded {
            self.parameters.push(format!("uint256 {seed}"));
        }
        let word = format!("uint256(keccak256(abi.encode({seed}, i)))");
        let bounded = self.bounds(&leaf.choice);
        let item = match &leaf.choice {
            ValueChoice::Account => {
                self.helpers.insert(Helper::Account);
                format!("_account({word})")
            }
            ValueChoice::Sender => "sender".to_owned(),
            ValueChoice::One(account) => format!("accounts[{account}]"),
            ValueChoice::Contract(role) => self.terms.address(*role),
            ValueChoice::Equal(getter) => self.getter(getter),
            ValueChoice::Returned(_) | ValueChoice::Given(..) => self.earlier(&leaf.choice),
            ValueChoice::Later(most) => format!("block.timestamp + bound({word}, 0, {})", number(*most)),
            ValueChoice::Range(..) | ValueChoice::UpTo(_) if matches!(leaf.ty, DynSolType::Uint(_)) => {
                self.helpers.insert(Helper::Amount);
                cast(&leaf.ty, &format!("_amount({word}, {})", bounded.unwrap_or_default()))
            }
            ValueChoice::Any => from_word(&leaf.ty, &word),
            _ => zero(&leaf.ty),
        };
        let ty_name = ty.name();
        self.lines.push(format!("{ty_name}[] memory {name} = new {ty_name}[](length);"));
        self.lines.push(format!("for (uint256 i = 0; i < length; i++) {name}[i] = {};", ty.convert(&item)));
        name
    }
}
