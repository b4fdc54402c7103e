//! Blob base fee.

use revm::context_interface::block::BlobExcessGasAndPrice;

/// Returns the blob base fee for this excess gas (`fake_exponential` of EIP-4844), capped at the largest
/// 128-bit number. revm's own function wraps around there, and may then never end.
pub(crate) fn blob_fee(excess_blob_gas: u64, fraction: u64) -> BlobExcessGasAndPrice {
    let blob_gasprice = exponential(excess_blob_gas.into(), fraction.max(1).into()).unwrap_or(u128::MAX);
    BlobExcessGasAndPrice { excess_blob_gas, blob_gasprice }
}

/// Computes `e ** (numerator / denominator)` by its Taylor series; `None` if a term exceeds 128 bits.
fn exponential(numerator: u128, denominator: u128) -> Option<u128> {
    let (mut sum, mut term, mut index) = (0u128, denominator, 1);
    while term > 0 {
        sum = sum.checked_add(term)?;
        term = term.checked_mul(numerator)? / denominator.checked_mul(index)?;
        index += 1;
    }
    Some(sum / denominator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use revm::primitives::eip4844::{
        BLOB_BASE_FEE_UPDATE_FRACTION_CANCUN, BLOB_BASE_FEE_UPDATE_FRACTION_PRAGUE,
    };

    #[test]
    fn it_is_what_revm_computes_where_that_ends() {
        for fraction in [BLOB_BASE_FEE_UPDATE_FRACTION_CANCUN, BLOB_BASE_FEE_UPDATE_FRACTION_PRAGUE] {
            for excess in [0, 1, fraction / 2, fraction, 3 * fraction, 20 * fraction, 50 * fraction] {
                assert_eq!(blob_fee(excess, fraction), BlobExcessGasAndPrice::new(excess, fraction));
            }
        }
    }

    #[test]
    fn it_ends_for_every_excess() {
        for excess in [1 << 32, u64::from(u32::MAX), u64::MAX / 3, u64::MAX] {
            assert_eq!(blob_fee(excess, BLOB_BASE_FEE_UPDATE_FRACTION_CANCUN).blob_gasprice, u128::MAX);
        }
    }
}
