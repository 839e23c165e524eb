/// The names of the kinds that an import makes.
package enum ImportKinds {
  /// Returns the name of a module as a kind: letters, digits, `-`, `_` and `.`.
  ///
  /// The family before a slash is left out (`custom/weather` is `weather`), and every run of other
  /// characters becomes one `-`; "module" if nothing is left.
  package static func name(of module: String) -> String {
    var rest = module[...]
    if rest.hasPrefix("custom/") { rest = rest.dropFirst("custom/".count) }
    var name: [UInt8] = []
    for byte in rest.utf8 {
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      if isPlain {
        name.append(byte)
      } else if name.last != UInt8(ascii: "-") {
        name.append(UInt8(ascii: "-"))
      }
    }
    // No kind looks like a hidden file or an option.
    let trimmed = name.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
      .prefix(PluginLimits.importKindBytesMax)
    var kind = String(decoding: trimmed, as: UTF8.self)
    while kind.hasSuffix("-") || kind.hasSuffix(".") { kind.removeLast() }
    return kind.isEmpty ? "module" : kind
  }

  /// Returns `name`, or with the first number from 2 on with which it is not taken.
  package static func free(_ name: String, isTaken: (String) -> Bool) -> String {
    guard isTaken(name) else { return name }
    var number = 2
    while isTaken("\(name)-\(number)") { number += 1 }
    return "\(name)-\(number)"
  }
}
