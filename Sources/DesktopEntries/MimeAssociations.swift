/// The associations of one `mimeapps.list`: the applications for each type.
///
/// Source: Association between MIME types and applications, 1.0.1.
package struct MimeAssociations: Hashable, Sendable {
  /// Associations of a missing or empty list.
  package static let none = MimeAssociations(lists: [:])

  private let lists: [Group: [String: [String]]]

  private enum Group: String, CaseIterable {
    case defaults = "Default Applications"
    case added = "Added Associations"
    case removed = "Removed Associations"
  }

  /// Parses a list, and keeps only `types` of it: a person's list has hundreds.
  ///
  /// One malformed line fails the whole list (`KeyFile`). `path` is the name that messages use.
  package static func parse(
    _ bytes: [UInt8], path: String, types: [String]
  ) -> Result<MimeAssociations, LaunchRefusal> {
    KeyFile.parse(bytes, path: path).map { file in
      var lists: [Group: [String: [String]]] = [:]
      for group in Group.allCases {
        for type in types {
          lists[group, default: [:]][type] = file.list(type, in: group.rawValue)
        }
      }
      return MimeAssociations(lists: lists)
    }
  }

  /// Returns the ids that `mimeinfo.cache` has for a type.
  ///
  /// Callers use their order only to choose between entries that claim the type alike.
  package static func cached(
    _ bytes: [UInt8], path: String, type: String
  ) -> Result<[String], LaunchRefusal> {
    KeyFile.parse(bytes, path: path).map { $0.list(type, in: "MIME Cache") }
  }

  /// Returns the MIME type that stands for a URL scheme.
  package static func type(ofScheme scheme: String) -> String {
    "x-scheme-handler/" + scheme.lowercased()
  }

  /// Returns the ids to try for `type`, best first.
  package func defaults(for type: String) -> [String] { list(.defaults, type) }
  /// Returns the ids that this list associates with `type`, best first.
  package func added(for type: String) -> [String] { list(.added, type) }
  /// Returns the ids that this list dissociates from `type`.
  package func removed(for type: String) -> [String] { list(.removed, type) }

  private func list(_ group: Group, _ type: String) -> [String] { lists[group]?[type] ?? [] }
}
