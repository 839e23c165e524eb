import _FoundationICU

/// Spells numbers in words, by the spell-out rules of the Unicode project in ICU.
///
/// It uses the ICU inside Foundation: a process with Foundation has it loaded already, and it is
/// newer than the ICU of distributions. Its C names have a prefix, so that they do not clash with
/// the system's ICU.
package enum NumberWords {
  /// The longest language code, in bytes: four times the longest in use.
  package static let languageBytesMax = 64
  /// The room for the names of a language's rule sets, in UTF-16 units.
  private static let textUnitsMax = 8_192
  /// The longest spelled number, in UTF-16 units; a longer one is left out.
  private static let numberUnitsMax = 512

  /// Returns the spellings of each number, in the order of `tenths`.
  ///
  /// `tenths` are tenths of the numbers: 15 stands for 1.5. Each public cardinal and numbering rule
  /// set of the language gives a spelling, and a second one with spaces for hyphens; equal
  /// spellings appear once. A rule set that writes a number in digits gives none.
  ///
  /// `nil` when the language has no rules of its own: ICU would silently use the language of the
  /// process. Opening the rules takes about a millisecond, a number some microseconds.
  package static func words(forTenths tenths: [Int], language: String) -> [[String]]? {
    guard let rules = Rules(language: language) else { return nil }
    defer { rules.close() }
    // Most rule sets spell most numbers alike: make a string of a new spelling only.
    var spellings = tenths.map { _ in [[UInt16]]() }
    for name in rules.names where rules.select(name) {
      for (index, number) in tenths.enumerated() {
        guard let text = rules.text(tenths: number), !spellings[index].contains(text) else {
          continue
        }
        spellings[index].append(text)
        guard text.contains(where: isHyphen) else { continue }
        let spaced = text.map { isHyphen($0) ? 0x20 : $0 }
        if !spellings[index].contains(spaced) { spellings[index].append(spaced) }
      }
    }
    return spellings.map { $0.map { String(decoding: $0, as: UTF16.self) } }
  }

  private static func isHyphen(_ unit: UInt16) -> Bool { unit == 0x2D || unit == 0x5F }

  /// The opened rules of one language.
  private struct Rules {
    let formatter: UnsafeMutablePointer<UNumberFormat?>
    let names: [String]

    init?(language: String) {
      guard let locale = NumberWords.locale(for: language) else { return nil }
      var status = U_ZERO_ERROR
      guard let opened = swift_unum_open(UNUM_SPELLOUT, nil, 0, locale, nil, &status) else {
        return nil
      }
      var isOwn = false
      var names: [String] = []
      if status.rawValue <= 0,
        let actual = swift_unum_getLocaleByType(opened, ULOC_ACTUAL_LOCALE, &status)
      {
        // For a language without rules ICU opens the rules of another.
        isOwn = NumberWords.base(String(cString: actual)) == NumberWords.base(locale)
        status = U_ZERO_ERROR
        var units = [UChar](repeating: 0, count: NumberWords.textUnitsMax)
        let count = swift_unum_getTextAttribute(
          opened, UNUM_PUBLIC_RULESETS, &units, Int32(units.count), &status)
        if status.rawValue <= 0 {
          names = String(decoding: units[..<Int(count)], as: UTF16.self).split(separator: ";")
            .map(String.init).filter(NumberWords.isCardinal)
        }
      }
      guard isOwn, !names.isEmpty else {
        swift_unum_close(opened)
        return nil
      }
      formatter = opened
      self.names = names
    }

    func close() { swift_unum_close(formatter) }

    func select(_ name: String) -> Bool {
      var status = U_ZERO_ERROR
      let units = Array(name.utf16)
      swift_unum_setTextAttribute(
        formatter, UNUM_DEFAULT_RULESET, units, Int32(units.count), &status)
      return status.rawValue <= 0
    }

    /// Returns the number's spelling in UTF-16, without soft hyphens.
    ///
    /// `nil` if it is too long, or if the selected rule set writes digits.
    func text(tenths: Int) -> [UInt16]? {
      withUnsafeTemporaryAllocation(of: UChar.self, capacity: NumberWords.numberUnitsMax) { units in
        var status = U_ZERO_ERROR
        let count =
          tenths % 10 == 0
          ? swift_unum_formatInt64(
            formatter, Int64(tenths / 10), units.baseAddress, Int32(units.count), nil, &status)
          : swift_unum_formatDouble(
            formatter, Double(tenths) / 10, units.baseAddress, Int32(units.count), nil, &status)
        guard status.rawValue <= 0, count > 0, Int(count) <= units.count else { return nil }
        let text = units[..<Int(count)]
        guard !text.contains(where: { $0 &- 0x30 < 10 }) else { return nil }
        return text.filter { $0 != 0xAD }
      }
    }
  }

  private static func isCardinal(_ name: String) -> Bool {
    (name.hasPrefix("%spellout-cardinal") || name.hasPrefix("%spellout-numbering"))
      && !["verbose", "ordinal", "year"].contains { name.contains($0) }
  }

  /// Returns the language code as ICU writes it; for regions with traditional Chinese, its script.
  ///
  /// `nil` if `language` is not a language code.
  private static func locale(for language: String) -> String? {
    guard !language.isEmpty, language.utf8.count <= languageBytesMax,
      language.utf8.allSatisfy({
        $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10
          || ($0 | 0x20) &- 0x61 < 26
      })
    else { return nil }
    let code = String(language.map { $0 == "-" ? "_" : $0 })
    switch code.lowercased() {
    case "zh_tw", "zh_hk", "zh_mo": return "zh_Hant"
    default: return code
    }
  }

  private static func base(_ locale: String) -> String {
    String(locale.prefix { $0 != "_" }).lowercased()
  }
}
