import Testing

@testable import IntentRouter

/// How near two words are.
@Suite struct NearTextTests {
  private func spelling(_ text: String) -> NearSpelling {
    NearSpelling(nearSpelling(NormalizedText(value: text).folded))
  }

  private func form(_ said: String, _ known: String) -> NearForm? {
    NearForm(spelling(said), spelling(known))
  }

  @Test(
    arguments: [
      ("50%", ["50", "%"]), ("20.5 degrees", ["20.5", "degrees"]), ("l'heure", ["l'", "heure"]),
      ("est-ce que", ["est", "ce", "que"]), ("开灯 now", ["开", "灯", "now"]),
      ("ปรับที่", ["ป", "รั", "บ", "ที่"]), ("5minutes", ["5", "minutes"]), ("  ", []),
    ])
  func `a text is cut into words`(_ text: String, _ words: [String]) {
    let folded = NormalizedText(value: text).folded
    #expect(nearWords(of: folded).map { NormalizedText.string(folded[$0]) } == words)
  }

  @Test(
    arguments: [
      ("weather", "weather", NearForm.Kind.same), ("zurich", "zürich", .marks),
      ("wether", "weather", .slip), ("waether", "weather", .slip), ("lamp", "lamps", .slip),
      ("turned", "turn", .ending), ("pausiert", "pausieren", .ending), ("قثائمة", "قائمة", .slip),
      ("卧室窗关", "卧室窗帘", .slip), ("strasse", "straße", .same),
    ])
  func `a near word has the kind of its difference`(
    _ said: String, _ known: String, _ kind: NearForm.Kind
  ) {
    #expect(form(said, known)?.kind == kind, "\(said) \(known)")
  }

  @Test(
    arguments: [
      ("on", "off"), ("in", "on"), ("weather", "clock"), ("locked", "kitchen"), ("灯", "门"),
      ("a", "abc"), ("light", "night owl"),
    ])
  func `another word is not near`(_ said: String, _ known: String) {
    #expect(form(said, known) == nil, "\(said) \(known)")
  }

  @Test func `slips are counted alike from both sides, and as a whole table counts them`() {
    var state: UInt64 = 7
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let letters = Array("abcü".unicodeScalars.map(\.value))
    for _ in 0..<4_000 {
      let left = NearSpelling(nearSpelling((0..<next(9)).map { _ in letters[next(4)] }))
      let right = NearSpelling(nearSpelling((0..<next(9)).map { _ in letters[next(4)] }))
      for most in [0.75, 1, 2, 3] as [Float] {
        let found = slips(left, right, atMost: most)
        #expect(found == slips(right, left, atMost: most))
        if let found { #expect(found <= most) }
        let plain = plainSlips(left.scalars, right.scalars)
        #expect(found == (plain <= most ? plain : nil), "\(left.scalars) \(right.scalars)")
        if plain <= most {
          #expect(!left.shape.isFarther(from: right.shape, than: Int(most)))
        }
      }
    }
  }

  /// All of the table that `slips` looks at a band of.
  private func plainSlips(_ left: [UInt32], _ right: [UInt32]) -> Float {
    func weight(_ scalar: UInt32) -> Float { isLightMark(scalar) ? 0.25 : 1 }
    var table = [[Float]](
      repeating: [Float](repeating: 0, count: right.count + 1), count: left.count + 1)
    for row in 0...left.count {
      for column in 0...right.count where row > 0 || column > 0 {
        var best = Float.infinity
        if row > 0 { best = min(best, table[row - 1][column] + weight(left[row - 1])) }
        if column > 0 { best = min(best, table[row][column - 1] + weight(right[column - 1])) }
        if row > 0, column > 0 {
          let (said, known) = (left[row - 1], right[column - 1])
          let other = said == known ? 0 : max(weight(said), weight(known))
          best = min(best, table[row - 1][column - 1] + other)
          if row > 1, column > 1, said != known, said == right[column - 2],
            left[row - 2] == known
          {
            best = min(best, table[row - 2][column - 2] + 1)
          }
        }
        table[row][column] = best
      }
    }
    return table[left.count][right.count]
  }
}
