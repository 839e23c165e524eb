/// The order in which the daemon tries languages, made from the environment and the sentence.
///
/// The locale's own language first, then English. The C locale says nothing about the person, so both
/// languages that ship are tried. A sentence with Han characters is tried as Chinese first, whatever the locale.
func languageOrder(for text: String, environment: (String) -> String?) -> [String] {
  let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
    .compactMap { environment($0) }.first { !$0.isEmpty }
  var order: [String]
  if let locale, let tag = languageTag(ofLocale: locale) {
    order = [tag]
    // "de-DE" is tried as "de" too. For Chinese that would say less than it seems: the region
    // decides the script.
    let base = String(tag.prefix { $0 != "-" })
    if base != "zh" { order.append(base) }
    order.append("en")
  } else {
    order = ["en", "zh-CN"]
  }
  if text.unicodeScalars.contains(where: { $0.properties.isIdeographic }) {
    order.insert("zh-CN", at: 0)
  }
  var seen: Set<String> = []
  return order.filter { seen.insert($0).inserted }
}

/// `zh_CN.UTF-8` is `zh-CN`; `nil` for C, POSIX and what is no locale's name.
func languageTag(ofLocale locale: String) -> String? {
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
