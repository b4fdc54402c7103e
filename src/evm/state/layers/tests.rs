use super::*;
use crate::evm::{
    cheats::testing::{ALICE, KEEPER, Lab, Program, Vm},
    vm::call::TopCall,
};
use alloy_primitives::Bytes;

fn keep(word: u8) -> Program {
    Program::new().call(KEEPER, U256::from(word).to_be_bytes::<32>())
}

/// Creates a lab whose `KEEPER` contract stores `word` in slot 0.
fn keeping(word: u8) -> Lab {
    let mut lab = Lab::new();
    let base_state = Arc::make_mut(lab.evm.base_state());
    base_state.accounts.entry(KEEPER).or_default().storage.insert(U256::ZERO, U256::from(word));
    lab
}

fn commit(lab: &mut Lab, to: Address, data: Bytes) {
    assert!(lab.evm.transact(&TopCall::ask(to, data)).is_success());
    lab.evm.commit();
}

/// Deploys all programs, then runs them in order. Deploying them first ensures that nothing is settled in
/// between.
fn run(lab: &mut Lab, programs: &[Program], fold: bool) -> (u64, U256, U256) {
    let places: Vec<_> = (1..).map(Address::repeat_byte).take(programs.len()).collect();
    for (place, program) in places.iter().zip(programs) {
        lab.put(*place, &program.assemble());
    }
    for place in places {
        commit(lab, place, Bytes::new());
        if fold {
            lab.evm.fold();
        }
    }
    (lab.evm.digest(), lab.evm.storage(KEEPER, U256::ZERO), lab.info(KEEPER).balance)
}

fn programs() -> Vec<Program> {
    let deal = Vm::dealCall { account: KEEPER, balance: U256::from(3) };
    vec![keep(5), keep(0).vm(&deal), keep(9), Program::new(), keep(9)]
}

#[test]
fn a_state_is_the_same_whether_it_was_folded_or_not() {
    let all = programs();
    let expected = run(&mut keeping(2), &all, false);
    assert_eq!(expected, run(&mut keeping(2), &all, true));
    assert_eq!((expected.1, expected.2), (U256::from(9), U256::from(3)));
    assert_eq!(run(&mut keeping(2), &[keep(5), keep(2)], true).0, 0, "back where it began");
}

#[test]
fn a_layer_holds_while_others_are_made_over_it() {
    let mut lab = Lab::new();
    run(&mut lab, &[keep(5)], false);
    let five = lab.evm.fold();
    commit(&mut lab, KEEPER, U256::from(6).to_be_bytes::<32>().into());
    assert_eq!(lab.evm.storage(KEEPER, U256::ZERO), U256::from(6));
    lab.evm.begin_over(five);
    assert_eq!(lab.evm.storage(KEEPER, U256::ZERO), U256::from(5));
    lab.evm.begin_over(None);
    assert_eq!(lab.evm.storage(KEEPER, U256::ZERO), U256::ZERO);
}

#[test]
fn destroyed_and_created_accounts_forget_what_the_world_knows() {
    let mut db = LayeredDb { base_state: Arc::default(), layer: None };
    let base_state = Arc::make_mut(&mut db.base_state);
    base_state.set_balance(ALICE, U256::ONE);
    base_state.accounts.entry(ALICE).or_default().storage.insert(U256::ZERO, U256::from(7));
    let mut destroyed = Account::default();
    destroyed.mark_selfdestruct();
    db.fold(EvmState::from_iter([(ALICE, destroyed)]));
    assert!(db.info(ALICE).is_none());
    assert_eq!(db.word(ALICE, U256::ZERO), U256::ZERO);
    let mut created = Account::default();
    created.mark_created();
    created.info.nonce = 1;
    db.fold(EvmState::from_iter([(ALICE, created)]));
    assert_eq!(db.info(ALICE).map(|info| info.nonce), Some(1));
    assert_eq!(db.word(ALICE, U256::ZERO), U256::ZERO);
}
