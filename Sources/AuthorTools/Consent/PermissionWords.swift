import PlainText
import WidgetCenter

/// Says in plain words what a provider may do.
enum PermissionWords {
  /// A line for each permission; empty for none.
  static func lines(_ permissions: ProviderPermissions) -> [String] {
    (permissions.network ? ["the network: any server, and programs on this machine"] : [])
      + permissions.read.map { "to read \($0)" }
      + permissions.write.map { "to read and change \($0)" }
      + permissions.bus.map { "to talk to \($0) on the session bus" }
      + (permissions.group.map { group in
        ["to read and change what another app keeps in the group \(group), such as a login"]
      } ?? [])
  }

  /// The permissions in one line; "nothing" for none.
  static func phrase(_ permissions: ProviderPermissions) -> String {
    let words =
      (permissions.network ? ["the network"] : []) + permissions.read.map { "reading \($0)" }
      + permissions.write.map { "changing \($0)" } + permissions.bus.map { "the bus name \($0)" }
      + (permissions.group.map { ["the group \($0)"] } ?? [])
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }

  /// The lines that say what a kind asks for, for a question.
  ///
  /// A kind without a box (`isBoxed`) asks for the group of another app alone.
  static func request(_ asked: ProviderPermissions, isBoxed: Bool = true) -> [String] {
    guard isBoxed else {
      return ["  it runs as you, without a box, and asks for"] + lines(asked).map { "    \($0)" }
    }
    guard !asked.isEmpty else {
      return ["  it runs in a box and asks for nothing: no files of yours, no network, no session"]
    }
    return ["  it runs in a box, and asks for"] + (lines(asked) + [nothingElse]).map { "    \($0)" }
  }

  /// The program of a kind with its arguments.
  static func program(of kind: WidgetKind) -> String {
    kind.hasProvider ? kind.provider.exec.joined(separator: " ") : "nothing: it has no provider"
  }

  /// The line of a kind with the name that it gives itself, which may be made to mislead.
  static func title(_ kind: WidgetKind) -> String {
    let name = printable(kind.name).map { $0 == "\"" ? "'" : String($0) }.joined()
    let short = shortened(name, columnsMax: InstallLimits.nameColumnsMax)
    return "\(kind.kind)  calls itself \"\(short)\""
  }

  /// The end of every list of permissions.
  private static let nothingElse =
    "nothing else: not your files, your session, other programs or the daemon; it has its own"
    + " cache folder, and reads the system and its own folder"
}
