/// SHA-256: the hash by which a program is recognized that a person agreed to, and a picture or a
/// download by its bytes.
///
/// Source: FIPS 180-4, section 6.2. It is our own because nothing else of the package needs a
/// library of cryptography; see `docs/decisions/0026-consent.md`.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var schedule = [UInt32](repeating: 0, count: 64)
  /// The bytes after the last whole block, fewer than `blockBytes`.
  private var rest: [UInt8] = []
  private var byteCount: UInt64 = 0

  private static let blockBytes = 64

  package init() {}

  /// Returns the hash of all bytes in 64 hexadecimal digits.
  package static func digest(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes[...])
    return hash.finish()
  }

  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    byteCount += UInt64(bytes.count)
    var bytes = bytes
    if !rest.isEmpty {
      let missing = min(Self.blockBytes - rest.count, bytes.count)
      rest += bytes.prefix(missing)
      bytes = bytes.dropFirst(missing)
      guard rest.count == Self.blockBytes else { return }
      let block = rest
      compress(block.span, at: 0)
      rest = []
    }
    let span = bytes.span
    var offset = 0
    while span.count - offset >= Self.blockBytes {
      compress(span, at: offset)
      offset += Self.blockBytes
    }
    rest = Array(bytes.dropFirst(offset))
  }

  /// Returns the hash of everything so far in 64 hexadecimal digits; nothing follows it.
  package mutating func finish() -> String {
    let bitCount = byteCount &* 8
    let zeros = (2 * Self.blockBytes - 9 - rest.count) % Self.blockBytes
    var padding: [UInt8] = [0x80] + [UInt8](repeating: 0, count: zeros)
    for shift in stride(from: 56, through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }
    update(padding[...])
    precondition(rest.isEmpty, "the padding fills the last block")
    var digits: [UInt8] = []
    digits.reserveCapacity(64)
    for word in state {
      for shift in stride(from: 28, through: 0, by: -4) {
        let digit = UInt8(truncatingIfNeeded: word >> UInt32(shift)) & 15
        digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private mutating func compress(_ bytes: Span<UInt8>, at offset: Int) {
    for index in 0..<16 {
      let place = offset + 4 * index
      schedule[index] =
        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
        | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
    }
    for index in 16..<64 {
      let early = schedule[index - 15]
      let late = schedule[index - 2]
      let small0 = Self.turned(early, 7) ^ Self.turned(early, 18) ^ (early >> 3)
      let small1 = Self.turned(late, 17) ^ Self.turned(late, 19) ^ (late >> 10)
      schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let big1 = Self.turned(e, 6) ^ Self.turned(e, 11) ^ Self.turned(e, 25)
      let first =
        h &+ big1 &+ ((e & f) ^ (~e & g)) &+ Self.constants[index] &+ schedule[index]
      let big0 = Self.turned(a, 2) ^ Self.turned(a, 13) ^ Self.turned(a, 22)
      let second = big0 &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
