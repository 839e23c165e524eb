/// The names under which the user manager knows an application that was launched.
package enum LaunchUnit {
  /// Bytes of an application's id that a unit's name keeps: escaped they are at most four times as
  /// many, and systemd takes 255 in all.
  private static let identifierBytesMax = 48

  /// Returns `app-intentd-<id>-<random>.service`, as systemd's "Desktop Environment Integration"
  /// has it.
  ///
  /// `id` is the entry's, with or without `.desktop`.
  package static func name(application id: String, random: UInt64) -> String {
    let bare = id.hasSuffix(".desktop") ? id.dropLast(8) : id[...]
    return "app-intentd-\(escaped(bare))-\(hexadecimal(random)).service"
  }

  /// Returns the name of an application on the bus; `nil` if its id cannot be one.
  ///
  /// Source: Desktop Entry Specification 1.5, "D-Bus Activation"; names by the D-Bus
  /// specification, "Bus names".
  package static func busName(application id: String) -> String? {
    let bare = id.hasSuffix(".desktop") ? id.dropLast(8) : id[...]
    let elements = bare.split(separator: ".", omittingEmptySubsequences: false)
    let isName =
      elements.count > 1 && bare.utf8.count <= 255
      && elements.allSatisfy { element in
        !element.isEmpty && element.utf8.first.map { !(48...57).contains($0) } == true
          && element.utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x5F }
      }
    return isName ? String(bare) : nil
  }

  /// Escapes a part of a unit's name: other bytes than letters, digits, `_`, `:` and `.` become
  /// `\xNN`.
  ///
  /// Source: systemd.unit(5), "String escaping for inclusion in unit names".
  private static func escaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    for (index, byte) in text.utf8.prefix(identifierBytesMax).enumerated() {
      let isPlain =
        isLetterOrDigit(byte) || byte == 0x5F || byte == 0x3A || (byte == 0x2E && index > 0)
      if isPlain {
        bytes.append(byte)
      } else {
        bytes += "\\x".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func hexadecimal(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}
