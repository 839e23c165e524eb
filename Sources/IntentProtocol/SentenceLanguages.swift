/// Returns the languages that the daemon tries for a sentence, in order.
///
/// `LANGUAGE` has the person's languages in order (`de:fr`); the locale's language follows, then
/// English, then (`*`) every other language that the daemon has sentences in. The C locale tells
/// nothing about the person. A sentence with Han characters is tried as Chinese first, in any
/// locale.
package func languageOrder(for text: String, environment: (String) -> String?) -> [String] {
  let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
    .compactMap { environment($0) }.first { !$0.isEmpty }
  var order: [String] = []
  if let locale, let tag = languageTag(ofLocale: locale) {
    // As in gettext, the list counts only where there is a locale.
    let preferred = (environment("LANGUAGE") ?? "").split(separator: ":")
      .prefix(languageCountMax).compactMap { languageTag(ofLocale: String($0)) }
    for tag in preferred + [tag] {
      order.append(tag)
      // "de-DE" is tried as "de" too. Not so for Chinese, where the region decides the script.
      let base = String(tag.prefix { $0 != "-" })
      if base != "zh" { order.append(base) }
    }
  }
  order += ["en", "*"]
  if text.unicodeScalars.contains(where: { $0.properties.isIdeographic }) {
    order.insert("zh-CN", at: 0)
  }
  var seen: Set<String> = []
  return order.filter { seen.insert($0).inserted }
}

/// Languages of `LANGUAGE` that count; the daemon takes sixteen languages with a sentence.
private let languageCountMax = 4

/// Returns the language tag of a locale: `zh-CN` for `zh_CN.UTF-8`.
///
/// `nil` for C, for POSIX and for a text that is no locale's name.
package func languageTag(ofLocale locale: String) -> String? {
  let name = locale.prefix { $0 != "." && $0 != "@" }
  let parts = name.split(separator: "_", omittingEmptySubsequences: false)
  guard let language = parts.first, (2...3).contains(language.utf8.count), parts.count <= 2,
    parts.allSatisfy({ part in
      !part.isEmpty && part.utf8.count <= 8
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    })
  else { return nil }
  return parts.count == 2
    ? "\(language.lowercased())-\(parts[1].uppercased())" : language.lowercased()
}
