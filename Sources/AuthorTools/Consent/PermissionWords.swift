import WidgetCenter

/// Says in plain words what a provider may do.
enum PermissionWords {
  /// A line for each permission; empty for none.
  static func lines(_ permissions: ProviderPermissions) -> [String] {
    (permissions.network ? ["the network: any server, and programs on this machine"] : [])
      + permissions.read.map { "to read \($0)" }
      + permissions.write.map { "to read and change \($0)" }
      + permissions.bus.map { "to talk to \($0) on the session bus" }
  }

  /// The permissions in one line; "nothing" for none.
  static func phrase(_ permissions: ProviderPermissions) -> String {
    let words =
      (permissions.network ? ["the network"] : []) + permissions.read.map { "reading \($0)" }
      + permissions.write.map { "changing \($0)" } + permissions.bus.map { "the bus name \($0)" }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }

  /// The end of every list of permissions.
  static let nothingElse =
    "nothing else: not your files, your session, other programs or the daemon; it has its own"
    + " cache folder, and reads the system and its own folder"
}
