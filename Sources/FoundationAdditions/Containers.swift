public import Foundation

extension FileManager {
  /// Returns the folder that an app shares with its widgets, by the name of their group.
  ///
  /// It is the folder of intentd's group of that name: the one in `INTENTD_GROUP`, or
  /// `$XDG_DATA_HOME/intentd/groups/NAME`, which is made when it is first needed and open to its owner
  /// alone. `nil` for a name that is no folder's. Source: Foundation of Apple; corelibs has none.
  public func containerURL(
    forSecurityApplicationGroupIdentifier groupIdentifier: String
  ) -> URL? {
    let place = GroupFolder.place(
      of: groupIdentifier, environment: ProcessInfo.processInfo.environment)
    guard let place else { return nil }
    let url = URL(fileURLWithPath: place, isDirectory: true)
    do {
      try createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      // In a box without the group nobody may make it. iOS has no folder then either.
      return nil
    }
    return url
  }
}

/// Where a group's folder is.
package enum GroupFolder {
  /// Returns the path of the group's folder; `nil` for a name that is no name of a folder.
  package static func place(of group: String, environment: [String: String]) -> String? {
    guard !group.isEmpty, group.utf8.count <= Limits.groupNameBytesMax, !group.hasPrefix("."),
      !group.contains("/"), !group.utf8.contains(0)
    else { return nil }
    if let given = environment["INTENTD_GROUP"], given.hasSuffix("/\(group)") { return given }
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let root = data ?? environment["HOME"].map({ "\($0)/.local/share" }) else { return nil }
    return "\(root)/intentd/groups/\(group)"
  }
}
