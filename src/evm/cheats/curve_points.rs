//! Arithmetic of points of secp256k1, in affine and projective coordinates.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, ensure},
    vm::Vm,
};
use alloy_primitives::{U256, uint};
use k256::{
    AffinePoint, EncodedPoint, ProjectivePoint, Scalar,
    elliptic_curve::{
        group::Group,
        ops::Reduce,
        sec1::{FromEncodedPoint, ToEncodedPoint},
    },
};

/// Prime of the curve's field; coordinates are smaller.
const PRIME: U256 = uint!(0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f_U256);

/// Reads a point of affine coordinates. `(0, 0)` is the point at infinity.
fn affine(x: U256, y: U256, name: &str) -> Result<ProjectivePoint, CheatError> {
    if x.is_zero() && y.is_zero() {
        return Ok(ProjectivePoint::IDENTITY);
    }
    let [x, y] = [x, y].map(|coordinate| coordinate.to_be_bytes::<32>().into());
    let encoded = EncodedPoint::from_affine_coordinates(&x, &y, false);
    let point = AffinePoint::from_encoded_point(&encoded).into_option();
    Ok(point.ok_or_else(|| format!("invalid secp256k1 {name}"))?.into())
}

/// Reads a point of projective coordinates. `(0, y, 0)` is the point at infinity for all other y than 0.
fn projective(x: U256, y: U256, z: U256, name: &str) -> Result<ProjectivePoint, CheatError> {
    ensure!([x, y, z].iter().all(|coordinate| *coordinate < PRIME), "invalid secp256k1 {name}");
    let Some(inverse) = z.inv_mod(PRIME) else {
        ensure!(x.is_zero() && !y.is_zero(), "invalid secp256k1 {name}");
        return Ok(ProjectivePoint::IDENTITY);
    };
    affine(x.mul_mod(inverse, PRIME), y.mul_mod(inverse, PRIME), name)
}

/// Returns the affine coordinates of a point, none for the point at infinity.
fn coordinates(point: ProjectivePoint) -> Option<(U256, U256)> {
    if bool::from(point.is_identity()) {
        return None;
    }
    let encoded = point.to_affine().to_encoded_point(false);
    let (x, y) = encoded.as_bytes().get(1..)?.split_at(32);
    Some((U256::from_be_slice(x), U256::from_be_slice(y)))
}

fn to_affine(point: ProjectivePoint) -> (U256, U256) {
    coordinates(point).unwrap_or_default()
}

fn to_projective(point: ProjectivePoint) -> (U256, U256, U256) {
    coordinates(point).map_or((U256::ZERO, U256::ONE, U256::ZERO), |(x, y)| (x, y, U256::ONE))
}

/// Reduces a number by the order of the group.
fn scalar(number: U256) -> Scalar {
    <Scalar as Reduce<k256::U256>>::reduce_bytes(&number.to_be_bytes::<32>().into())
}

impl Cheatcode for Vm::ecAddAffineCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let first = affine(self.x1, self.y1, "first point")?;
        let second = affine(self.x2, self.y2, "second point")?;
        Ok(to_affine(first + second).into())
    }
}

impl Cheatcode for Vm::ecAddProjectiveCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let first = projective(self.x1, self.y1, self.z1, "first point")?;
        let second = projective(self.x2, self.y2, self.z2, "second point")?;
        Ok(to_projective(first + second).into())
    }
}

impl Cheatcode for Vm::ecMulAffineCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let point = affine(self.pointX, self.pointY, "point")?;
        Ok(to_affine(point * scalar(self.scalar)).into())
    }
}

impl Cheatcode for Vm::ecMulProjectiveCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let point = projective(self.pointX, self.pointY, self.pointZ, "point")?;
        Ok(to_projective(point * scalar(self.scalar)).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generator of the group.
    const GENERATOR: (U256, U256) = (
        uint!(0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798_U256),
        uint!(0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8_U256),
    );

    /// Order of the group.
    const ORDER: U256 = uint!(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141_U256);

    fn generator() -> ProjectivePoint {
        affine(GENERATOR.0, GENERATOR.1, "point").unwrap()
    }

    #[test]
    fn twice_the_generator_is_its_sum_with_itself() {
        let twice = (
            uint!(0xc6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5_U256),
            uint!(0x1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a_U256),
        );
        assert_eq!(to_affine(generator() + generator()), twice);
        assert_eq!(to_affine(generator() * scalar(U256::from(2))), twice);
        assert_eq!(to_projective(generator() * scalar(ORDER + U256::from(2))), (twice.0, twice.1, U256::ONE));
    }

    #[test]
    fn projective_coordinates_have_a_common_factor() {
        let factor = U256::from(0xfac7_u64);
        let [x, y] = [GENERATOR.0, GENERATOR.1].map(|coordinate| coordinate.mul_mod(factor, PRIME));
        assert_eq!(projective(x, y, factor, "point"), Ok(generator()));
    }

    #[test]
    fn infinity_has_its_own_coordinates() {
        let infinity = generator() * scalar(ORDER);
        assert_eq!(to_affine(infinity), (U256::ZERO, U256::ZERO));
        assert_eq!(to_projective(infinity), (U256::ZERO, U256::ONE, U256::ZERO));
        assert_eq!(affine(U256::ZERO, U256::ZERO, "point"), Ok(infinity));
        assert_eq!(projective(U256::ZERO, U256::from(7), U256::ZERO, "point"), Ok(infinity));
    }

    #[test]
    fn what_is_on_no_curve_is_an_error() {
        let error = || Err(CheatError::from("invalid secp256k1 first point"));
        let (x, y) = GENERATOR;
        assert_eq!(affine(x, y + U256::ONE, "first point"), error());
        assert_eq!(affine(x + PRIME, y, "first point"), error());
        assert_eq!(affine(U256::MAX, U256::MAX, "first point"), error());
        for (x, y, z) in
            [(x, y, U256::ZERO), (U256::ZERO, U256::ZERO, U256::ZERO), (x, y, PRIME), (x, y, U256::from(2))]
        {
            assert_eq!(projective(x, y, z, "first point"), error());
        }
    }
}
