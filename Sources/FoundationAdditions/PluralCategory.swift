import Synchronization
import _FoundationICU

/// The plural form that a number takes in a language.
///
/// Source: Unicode's CLDR, by the rules of the ICU inside Foundation.
enum PluralCategory: String, CaseIterable, Sendable {
  case zero, one, two, few, many, other

  /// Returns the form of `number`; `other` for a language without rules.
  static func category(of number: Double, in language: String) -> PluralCategory {
    rules.withLock { rules in
      let opened: OpaquePointer?
      if let known = rules[language] {
        opened = known.pointer
      } else {
        var status = U_ZERO_ERROR
        opened = swift_uplrules_open(language, &status)
        rules[language] = Rules(pointer: status.rawValue > 0 ? nil : opened)
      }
      guard let opened else { return .other }
      // The longest name has five letters.
      var name = [UInt16](repeating: 0, count: 8)
      var status = U_ZERO_ERROR
      let count = swift_uplrules_select(opened, number, &name, Int32(name.count), &status)
      guard status.rawValue <= 0, count > 0, count <= name.count else { return .other }
      return PluralCategory(rawValue: String(decoding: name[..<Int(count)], as: UTF16.self))
        ?? .other
    }
  }

  /// Rules that were opened; ICU lets one thread use them at a time, and the lock sees to it.
  private struct Rules: @unchecked Sendable {
    var pointer: OpaquePointer?
  }

  /// By language; a program shows few, so they stay open.
  private static let rules = Mutex<[String: Rules]>([:])
}
