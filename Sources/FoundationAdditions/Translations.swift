package import Foundation

/// Texts in the person's language.
package enum Translations {
  /// Returns the translation of `key` with the values of `text`, or `text` itself.
  package static func text(
    _ text: String.LocalizationValue, key: String, table: String?, bundle: Bundle?, locale: Locale
  ) -> String {
    let format = (bundle ?? .main).localizedString(forKey: key, value: "", table: table)
    return fill(format.isEmpty || format == key ? text.key : format, with: text.arguments)
  }

  /// Puts `arguments` in the places of the specifiers of `format`.
  private static func fill(
    _ format: String, with arguments: [String.LocalizationValue.Argument]
  ) -> String {
    guard format.contains("%") else { return format }
    let values: [any CVarArg] = arguments.map { argument in
      switch argument {
      case .text(let text): NSString(string: text)
      case .integer(let value): value
      case .unsigned(let value): value
      case .number(let value): value
      }
    }
    return String(format: format, arguments: values)
  }
}
