/// Natural logarithm and exponential without a C library, so that the same donations give the same
/// model, bit for bit, wherever it runs.
package enum BehaviourMath {
  private static let ln2 = 0.693_147_180_559_945_3

  /// ln x for finite x > 0 that is not subnormal; relative error below 1e-15 away from 1, absolute
  /// near 1.
  ///
  /// x = m · 2^e with m in [√½, √2); ln m is twice the odd series in s = (m − 1) / (m + 1), |s| <
  /// 0.172.
  @inline(__always)
  package static func ln(_ x: Double) -> Double {
    let bits = x.bitPattern
    var exponent = Int(truncatingIfNeeded: bits >> 52) &- 1023
    var m = Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
    if m > 1.414_213_562_373_095_1 {
      m *= 0.5
      exponent &+= 1
    }
    let s = (m - 1) / (m + 1)
    let z = s * s
    let low = 1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9))))
    let z4 = z * z * z * z
    let high = 1.0 / 11 + z * (1.0 / 13 + z * (1.0 / 15 + z * (1.0 / 17 + z * (1.0 / 19))))
    return Double(exponent) * ln2 + 2 * s * (low + z4 * z * high)
  }

  /// The same for each lane, bit for bit.
  @inline(__always)
  package static func ln(_ x: SIMD16<Double>) -> SIMD16<Double> {
    let bits = unsafeBitCast(x, to: SIMD16<UInt64>.self)
    let one = SIMD16<UInt64>(repeating: 0x3FF0_0000_0000_0000)
    let mantissa = bits & SIMD16(repeating: 0x000F_FFFF_FFFF_FFFF) | one
    var m = unsafeBitCast(mantissa, to: SIMD16<Double>.self)
    // An integer below 2^52 in the low bits of 2^52 is that much more than it.
    let shifted = bits &>> SIMD16(repeating: 52) | SIMD16(repeating: 0x4330_0000_0000_0000)
    var exponent = unsafeBitCast(shifted, to: SIMD16<Double>.self) - 4_503_599_627_371_519
    let isLarge = m .> 1.414_213_562_373_095_1
    m.replace(with: m * 0.5, where: isLarge)
    exponent.replace(with: exponent + 1, where: isLarge)
    let s = (m - 1) / (m + 1)
    let z = s * s
    // A step each, for the compiler's sake.
    var low = z * (1.0 / 9) + 1.0 / 7
    low = z * low + 1.0 / 5
    low = z * low + 1.0 / 3
    low = z * low + 1
    var high = z * (1.0 / 19) + 1.0 / 17
    high = z * high + 1.0 / 15
    high = z * high + 1.0 / 13
    high = z * high + 1.0 / 11
    let z4 = z * z * z * z
    let series = low + z4 * z * high
    return exponent * ln2 + 2 * s * series
  }

  /// e^x; 0 below −700, and x is cut at 700.
  ///
  /// Relative error below 1e-14.
  @inline(__always)
  package static func exp(_ x: Double) -> Double {
    if x < -700 { return 0 }
    let x = min(x, 700)
    let n = (x * 1.442_695_040_888_963_4).rounded()
    let r = x - n * ln2
    // The series to r^13 / 13!, |r| ≤ 0.347.
    var sum = 1.0
    sum = 1 + r / 13 * sum
    sum = 1 + r * (1.0 / 12) * sum
    sum = 1 + r * (1.0 / 11) * sum
    sum = 1 + r * (1.0 / 10) * sum
    sum = 1 + r * (1.0 / 9) * sum
    sum = 1 + r * (1.0 / 8) * sum
    sum = 1 + r * (1.0 / 7) * sum
    sum = 1 + r * (1.0 / 6) * sum
    sum = 1 + r * (1.0 / 5) * sum
    sum = 1 + r * (1.0 / 4) * sum
    sum = 1 + r * (1.0 / 3) * sum
    sum = 1 + r * (1.0 / 2) * sum
    sum = 1 + r * sum
    return sum * Double(bitPattern: UInt64(truncatingIfNeeded: Int(n) &+ 1023) << 52)
  }
}
