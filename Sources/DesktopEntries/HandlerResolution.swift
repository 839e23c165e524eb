/// Decides which applications open a type, from directories that have been read.
///
/// ```
/// level 0  $XDG_CONFIG_HOME              DESKTOP-mimeapps.list…  mimeapps.list
///       1… $XDG_CONFIG_DIRS                        "                  "
///       …  $XDG_DATA_HOME/applications             "                  "         *.desktop
///       …  $XDG_DATA_DIRS/applications             "                  "         *.desktop
/// ```
/// The defaults of all levels come first, then the associated applications. A default need not be
/// associated with its type, because the tool that sets defaults writes nothing else. The result is
/// a list of candidates, best first; the caller takes the first usable one. Source: Association
/// between MIME types and applications 1.0.1.
package enum HandlerResolution {
  /// The lists and entries of one directory.
  package struct Level: Hashable, Sendable {
    /// The files `DESKTOP-mimeapps.list`, in the order of the current desktops.
    ///
    /// Only their defaults count.
    package var desktopLists: [MimeAssociations]
    /// The file `mimeapps.list`.
    package var list: MimeAssociations
    /// The ids of this directory's entries that claim the type.
    ///
    /// An id that an earlier directory has is not this directory's.
    package var claims: [String]

    package init(desktopLists: [MimeAssociations], list: MimeAssociations, claims: [String] = []) {
      self.desktopLists = desktopLists
      self.list = list
      self.claims = claims
    }
  }

  /// Returns the defaults of all levels, in order.
  package static func defaults(for type: String, levels: [Level]) -> [String] {
    unique(levels.flatMap { ($0.desktopLists + [$0.list]).flatMap { $0.defaults(for: type) } })
  }

  /// Returns the applications that are associated with the type, by a list or by their own entry.
  ///
  /// `owner` returns the level that owns an id, `nil` if none does. A list adds and removes only
  /// ids of its own level or a later one: a package cannot remove an application that the person
  /// added.
  package static func associated(
    with type: String, levels: [Level], owner: (String) -> Int?
  ) -> [String] {
    var candidates: [String] = []
    var removed: Set<String> = []
    for (index, level) in levels.enumerated() {
      func isInReach(_ id: String) -> Bool { owner(id).map { $0 >= index } ?? false }
      let added = level.list.added(for: type).filter(isInReach)
      candidates += added.filter { !removed.contains($0) }
      removed.formUnion(level.list.removed(for: type).filter(isInReach))
      candidates += level.claims.filter { !removed.contains($0) }
    }
    return unique(candidates)
  }

  private static func unique(_ ids: [String]) -> [String] {
    var seen: Set<String> = []
    return ids.filter { seen.insert($0).inserted }
  }
}
