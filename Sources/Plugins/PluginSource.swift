package import JSON

/// A file in a plugins folder, as it was found on the disk.
package struct PluginSource: Hashable, Sendable {
  /// Absolute.
  package var path: String
  /// The family that its folder is named after; `nil`: its tags decide.
  package var format: PluginFormat?
  /// The lines of the file with tags such as `<xbar.title>`.
  package var tags: PluginTagLines
  package var isExecutable: Bool
  /// The values that a person chose for its variables: the members of its `.vars.json` files.
  package var values: JSONObject

  package init(
    path: String, format: PluginFormat? = nil, tags: PluginTagLines = PluginTagLines(),
    isExecutable: Bool = true, values: JSONObject = [:]
  ) {
    self.path = path
    self.format = format
    self.tags = tags
    self.isExecutable = isExecutable
    self.values = values
  }

  /// The end of the name of a folder that is a package of SwiftBar: `name.5s.swiftbar/plugin.sh`.
  package static let packageSuffix = ".swiftbar"

  /// Whether a file of this name is the one of its package that is run.
  package static func isEntry(_ name: some StringProtocol) -> Bool { name.hasPrefix("plugin.") }

  /// The absolute folder of the package whose entry it is; `nil`: it is a file by itself.
  package var package: String? {
    guard let slash = path.lastIndex(of: "/"), Self.isEntry(path[path.index(after: slash)...])
    else { return nil }
    let folder = path[..<slash]
    let name = folder.split(separator: "/").last ?? ""
    return name.hasSuffix(Self.packageSuffix) && name.count > Self.packageSuffix.count
      ? String(folder) : nil
  }

  /// The name that says its kind and its interval: that of its package, else its own.
  package var name: String { String((package ?? path).split(separator: "/").last ?? "") }
}
