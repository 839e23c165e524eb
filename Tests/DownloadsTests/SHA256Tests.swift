import Digests
import Testing

@Suite struct SHA256Tests {
  /// Source: the examples of FIPS 180-4, NIST's "SHA256.pdf".
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the hash is that of the standard's examples`(text: String, digest: String) {
    #expect(SHA256.digest(of: Array(text.utf8)) == digest)
  }

  @Test func `a hundred thousand letters have the hash that sha256sum prints`() {
    // printf 'a%.0s' $(seq 100000) | sha256sum
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
    #expect(
      SHA256.digest(of: letters)
        == "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee")
  }

  @Test func `the hash does not depend on the pieces that the bytes come in`() {
    for count in 0...200 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let whole = SHA256.digest(of: bytes)
      for size in [1, 3, 63, 64, 65] {
        var hash = SHA256()
        var rest = bytes[...]
        while !rest.isEmpty {
          hash.update(rest.prefix(size))
          rest = rest.dropFirst(size)
        }
        #expect(hash.finish() == whole, "\(count) bytes in pieces of \(size)")
      }
    }
  }
}
