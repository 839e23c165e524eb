import FoundationAdditions

/// Fuzzes Xcode's catalogs of texts (`.xcstrings`), and the formats in them.
///
/// No catalog may crash the reader or occupy it for long, and no translation may make a text without
/// bounds of the values of a program. The first section is the catalog, the optional second the locale.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 2)
  let locale = parts.count > 1 ? String(line(parts[1]).prefix(64)) : "de_AT"
  guard let catalog = within(1_000, "reading", { TranslationCatalog(catalog: parts[0]) }) else {
    return 0
  }
  let values: [[String.LocalizationValue.Argument]] = [
    [], [.integer(0)], [.integer(1), .text("x")], [.number(-2.5), .unsigned(.max), .text("%@")],
    [.text("x"), .number(.nan), .integer(.min), .number(.infinity)],
  ]
  for key in catalog.keys.prefix(8) {
    for arguments in values {
      let text = within(200, "writing") { catalog.text(of: key, with: arguments, in: locale) }
      // Each sign of a format writes one value, and a width has two digits.
      precondition((text?.utf8.count ?? 0) <= count * 400, "a text grows without bounds")
      // The format's only state is the text.
      precondition(text == catalog.text(of: key, with: arguments, in: locale))
    }
  }
  return 0
}
