package import JSON

/// A file in a plugins folder, as it was found on the disk.
package struct PluginSource: Hashable, Sendable {
  /// Absolute.
  package var path: String
  /// The family that its folder is named after; `nil`: its tags decide.
  package var format: PluginFormat?
  /// The lines of the file with tags such as `<xbar.title>`; at most 64 KiB.
  package var tags: String
  package var isExecutable: Bool
  /// The values that a person chose for its variables: the members of its `.vars.json` files.
  package var values: JSONObject

  package init(
    path: String, format: PluginFormat? = nil, tags: String = "", isExecutable: Bool = true,
    values: JSONObject = [:]
  ) {
    self.path = path
    self.format = format
    self.tags = tags
    self.isExecutable = isExecutable
    self.values = values
  }
}
