import JSON

/// Reads how a provider is held: `permissions`, `sandbox` and `privileges`.
extension ManifestReader {
  /// The values of the three keys.
  struct Holding {
    var asked = ProviderPermissions()
    var isStrict = false
    var hasPrivileges = false
  }

  mutating func readHolding(_ root: LocatedValue) -> Holding {
    var holding = Holding()
    holding.asked = readPermissions(root)
    if let item = root["sandbox"], item.node != .null {
      holding.isStrict = Self.scalarText(item) == "strict"
      if !holding.isStrict {
        report(item.line, "sandbox is \(Self.describe(item))", "strict, or nothing")
      }
    }
    if let item = root["privileges"], let wanted = flag(item, "privileges"), wanted {
      if holding.isStrict {
        report(
          item.line, "privileges is 'true' beside sandbox: strict",
          "one of the two: nothing gains privileges in a box")
      } else if source.origin != .own {
        report(
          item.line, "privileges is 'true' in a manifest that was installed",
          "false: only a manifest in your own widgets folder may say this")
      } else {
        holding.hasPrivileges = true
      }
    }
    return holding
  }

  /// Reads `permissions`.
  ///
  /// The order is that of the manifest, without repetitions.
  private mutating func readPermissions(_ root: LocatedValue) -> ProviderPermissions {
    var permissions = ProviderPermissions()
    guard let value = root["permissions"], value.node != .null else { return permissions }
    guard case .object = value.node else {
      report(
        value.line, "permissions is \(Self.describe(value))",
        "a mapping such as {network: true, read: [~/Documents]}")
      return permissions
    }
    warnUnknown(in: value, at: "permissions.", known: ["network", "read", "write", "bus"])
    if let item = value["network"] {
      permissions.network = flag(item, "permissions.network") ?? false
    }
    permissions.read = texts(
      value, "read", expected: Self.pathExpected, isValid: Self.isPermissionPath)
    permissions.write = texts(
      value, "write", expected: Self.pathExpected, isValid: Self.isPermissionPath)
    permissions.bus = texts(
      value, "bus", expected: "a name on the bus such as org.mpris.MediaPlayer2.*",
      isValid: Self.isBusName)
    return permissions
  }

  private mutating func flag(_ item: LocatedValue, _ path: String) -> Bool? {
    if case .bool(let flag) = item.node { return flag }
    if item.node != .null {
      report(item.line, "\(path) is \(Self.describe(item))", "true or false")
    }
    return nil
  }

  private mutating func texts(
    _ permissions: LocatedValue, _ key: String, expected: String, isValid: (String) -> Bool
  ) -> [String] {
    guard let value = permissions[key], value.node != .null else { return [] }
    guard case .array(let items) = value.node, items.count <= Limits.permissionCountMax else {
      report(
        value.line, "permissions.\(key) is \(Self.describe(value))",
        "a list of at most \(Limits.permissionCountMax), each \(expected)")
      return []
    }
    var texts: [String] = []
    for item in items {
      guard case .string(let text) = item.node, isValid(text) else {
        report(item.line, "permissions.\(key) has \(Self.describe(item))", expected)
        continue
      }
      if !texts.contains(text) { texts.append(text) }
    }
    return texts
  }

  private static let pathExpected =
    "a path such as ~/Documents or /srv/music, without '..', '.' and '//', at most"
    + " \(Limits.permissionPathBytesMax) bytes"

  /// Whether a text is a path that a person can judge: absolute or from `~/` on, without parts that
  /// lead elsewhere, and without characters that hide some of it.
  package static func isPermissionPath(_ text: String) -> Bool {
    guard text.utf8.count <= Limits.permissionPathBytesMax,
      text.unicodeScalars.allSatisfy({ !$0.properties.isDefaultIgnorableCodePoint })
    else { return false }
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: return false
      default: continue
      }
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0].isEmpty || parts[0] == "~" else { return false }
    return parts.dropFirst().allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }

  /// Whether a text is a well-known name on the bus, or all names below one: `org.example.*`.
  ///
  /// Source: the D-Bus specification, "Valid Names".
  package static func isBusName(_ text: String) -> Bool {
    let name = text.hasSuffix(".*") ? String(text.dropLast(2)) : text
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 2, text.utf8.count <= Limits.busNameBytesMax else { return false }
    return parts.allSatisfy { part in
      guard let first = part.first, !(48...57).contains(first) else { return false }
      return part.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || byte == 45 || byte == 95
      }
    }
  }
}
