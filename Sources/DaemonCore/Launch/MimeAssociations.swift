/// What one `mimeapps.list` says about who opens what.
///
/// Source: Association between MIME types and applications, 1.0.1.
package struct MimeAssociations: Hashable, Sendable {
  /// Nothing said.
  package static let none = MimeAssociations(lists: [:])

  private let lists: [Group: [String: [String]]]

  private enum Group: String, CaseIterable {
    case defaults = "Default Applications"
    case added = "Added Associations"
    case removed = "Removed Associations"
  }

  /// Reads a list.
  ///
  /// One with a line that is no syntax is not used at all.
  ///
  /// `types`: the only types kept; a person's list has hundreds.
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

  /// The ids that `mimeinfo.cache` has for a type, in its order; it decides nothing but ties.
  package static func cached(
    _ bytes: [UInt8], path: String, type: String
  ) -> Result<[String], LaunchRefusal> {
    KeyFile.parse(bytes, path: path).map { $0.list(type, in: "MIME Cache") }
  }

  /// The type that stands for a URL scheme.
  package static func type(ofScheme scheme: String) -> String {
    "x-scheme-handler/" + scheme.lowercased()
  }

  /// Ids to try for `type`, best first.
  package func defaults(for type: String) -> [String] { list(.defaults, type) }
  package func added(for type: String) -> [String] { list(.added, type) }
  package func removed(for type: String) -> [String] { list(.removed, type) }

  private func list(_ group: Group, _ type: String) -> [String] { lists[group]?[type] ?? [] }
}
