package import JSON

/// A panel that was given a token: what it may have, and its size.
///
/// One file each in `web/devices` of the state folder; `intent-send web --device` writes it.
package struct PanelDevice: Hashable, Sendable {
  /// Letters, digits, `.`, `_` and `-`; also the name of its file.
  package var name: String
  package var token: WebSecret
  /// The one panel that the token opens: the id of a widget, or `stack`.
  package var panel: String
  /// The name by which the panel asks for its token; `nil`: it is told by the person.
  package var hardwareID: String?
  /// Whether the panel got its token; it does so once.
  package var hasToken: Bool

  package init(
    name: String, token: WebSecret, panel: String, hardwareID: String? = nil, hasToken: Bool = false
  ) {
    self.name = name
    self.token = token
    self.panel = panel
    self.hardwareID = hardwareID
    self.hasToken = hasToken
  }

  /// Whether a text can be the name of a device.
  package static func isName(_ text: String) -> Bool {
    (1...WebLimits.deviceNameBytesMax).contains(text.utf8.count)
      && text.first != "." && text.first != "-"
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
          || $0 == 45 || $0 == 46 || $0 == 95
      }
  }

  /// Reads the file of a device; `nil` if it is none.
  package init?(name: String, file: JSONValue) {
    guard Self.isName(name), let token = file["token"]?.stringValue.flatMap({ WebSecret($0) }),
      let panel = file["panel"]?.stringValue, WebRoute.isID(panel)
    else { return nil }
    self.init(
      name: name, token: token, panel: panel,
      hardwareID: file["id"]?.stringValue.flatMap { Self.hardwareID($0) },
      hasToken: file["claimed"]?.boolValue ?? false)
  }

  /// The content of its file.
  package var file: JSONValue {
    var file: JSONObject = [
      "token": .string(token.text), "panel": .string(panel), "claimed": .bool(hasToken),
    ]
    if let hardwareID { file["id"] = .string(hardwareID) }
    return .object(file)
  }

  /// Reads what a panel calls itself, such as `AA:BB:CC:DD:EE:FF`, in upper case; `nil` if the text
  /// is none.
  package static func hardwareID(_ text: String) -> String? {
    guard (1...64).contains(text.utf8.count),
      text.utf8.allSatisfy({
        (48...58).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45
      })
    else { return nil }
    return text.uppercased()
  }
}
