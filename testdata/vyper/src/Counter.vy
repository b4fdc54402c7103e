# pragma version ~=0.4.0
# SPDX-License-Identifier: MIT

number: public(uint256)

@external
def increment():
    self.number += 1

@external
def set_number(n: uint256):
    assert n < 1000, "too large"
    self.number = n
