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

  @Test func `slips are counted alike from both sides, and as a plain table counts them`() {
    var state: UInt64 = 7
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let letters = Array("abcü".unicodeScalars.map(\.value))
    for _ in 0..<2_000 {
      let left = NearSpelling(nearSpelling((0..<next(9)).map { _ in letters[next(4)] }))
      let right = NearSpelling(nearSpelling((0..<next(9)).map { _ in letters[next(4)] }))
      for most in [0.75, 1, 2, 3] as [Float] {
        let found = slips(left, right, atMost: most)
        #expect(found == slips(right, left, atMost: most))
        if let found { #expect(found <= most) }
        guard !left.hasMarks, !right.hasMarks else { continue }
        let plain = Float(editDistance(left.scalars, right.scalars, atMost: 99) ?? 99)
        #expect(found == (plain <= most ? plain : nil), "\(left.scalars) \(right.scalars)")
      }
    }
  }
}
