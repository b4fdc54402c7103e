//! Reasons of reverts, counted by kind of revert data.

use alloy_primitives::{Bytes, hex};

/// Maximum number of kinds that are distinguished for each function.
const MOST: usize = 8;

/// Selectors of `Error(string)` and `Panic(uint256)`. Their arguments distinguish the kinds.
const SPEAKING: [[u8; 4]; 2] = [hex!("08c379a0"), hex!("4e487b71")];

/// Reverts of one function.
#[derive(Clone, Debug, Default)]
pub(super) struct Reverts {
    kinds: Vec<RevertCount>,
    /// Number of reverts of further kinds.
    others: u64,
}

#[derive(Clone, Debug)]
struct RevertCount {
    /// Revert data of the first revert.
    data: Bytes,
    out_of_gas: bool,
    times: u64,
}

impl RevertCount {
    fn is(&self, data: &[u8], out_of_gas: bool) -> bool {
        if self.out_of_gas != out_of_gas {
            return false;
        }
        match (self.data.first_chunk::<4>(), data.first_chunk::<4>()) {
            (Some(known), Some(selector)) if !SPEAKING.contains(known) => known == selector,
            _ => *self.data == *data,
        }
    }
}

impl Reverts {
    pub(super) fn add(&mut self, data: &Bytes, out_of_gas: bool) {
        self.add_times(data, out_of_gas, 1);
    }

    fn add_times(&mut self, data: &Bytes, out_of_gas: bool, times: u64) {
        let has_room = self.kinds.len() < MOST;
        match self.kinds.iter_mut().find(|kind| kind.is(data, out_of_gas)) {
            Some(kind) => kind.times += times,
            None if has_room => self.kinds.push(RevertCount { data: data.clone(), out_of_gas, times }),
            None => self.others += times,
        }
    }

    /// Adds the counts of another worker.
    pub(super) fn absorb(&mut self, other: Self) {
        for RevertCount { data, out_of_gas, times } in other.kinds {
            self.add_times(&data, out_of_gas, times);
        }
        self.others += other.others;
    }

    /// Returns the reasons with their counts, the most frequent first. `decode` returns the reason for revert
    /// data, or for the name of the failure if there is no data.
    pub(super) fn reasons(&self, decode: &dyn Fn(&[u8], &str) -> String) -> Vec<(String, u64)> {
        let mut reasons: Vec<(String, u64)> = Vec::new();
        for RevertCount { data, out_of_gas, times } in &self.kinds {
            let text = decode(data, if *out_of_gas { "OutOfGas" } else { "Revert" });
            let is_custom = data.first_chunk::<4>().is_some_and(|selector| !SPEAKING.contains(selector));
            // The arguments belong to the first revert only, so they are left out.
            let name = text.split_once('(').filter(|_| is_custom).map(|(name, _)| name.to_owned());
            let reason = name.unwrap_or(text);
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, known)) => *known += times,
                None => reasons.push((reason, *times)),
            }
        }
        reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        if self.others > 0 {
            reasons.push(("other reasons".to_owned(), self.others));
        }
        reasons
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_sol_types::{Panic, PanicKind, Revert, SolError as _};

    #[test]
    fn custom_errors_are_told_apart_by_name_and_others_by_what_they_say() {
        let mut reverts = Reverts::default();
        let error = |word: u8| Bytes::from([&hex!("11223344")[..], &[word; 32]].concat());
        let said = |text: &str| Bytes::from(Revert::from(text.to_owned()).abi_encode());
        for data in [error(1), error(2), error(3), said("no"), said("paused"), said("no")] {
            reverts.add(&data, false);
        }
        reverts.add(&Bytes::from(Panic::from(PanicKind::UnderOverflow).abi_encode()), false);
        reverts.add(&Bytes::new(), true);
        let mut other = Reverts::default();
        other.add(&error(9), false);
        reverts.absorb(other);
        let decode = |data: &[u8], halt: &str| match data {
            [] => format!("EvmError: {halt}"),
            [0x11, ..] => "Refused(1)".to_owned(),
            [0x4e, ..] => "panic".to_owned(),
            _ => Revert::abi_decode(data).unwrap().reason,
        };
        let shown: Vec<_> = reverts.reasons(&decode).iter().map(|(r, n)| format!("{r} {n}")).collect();
        assert_eq!(shown, ["Refused 4", "no 2", "EvmError: OutOfGas 1", "panic 1", "paused 1"]);
    }
}
