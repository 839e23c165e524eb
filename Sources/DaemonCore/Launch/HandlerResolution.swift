/// Who opens a type, decided over directories that have been read.
///
/// ```
/// level 0  $XDG_CONFIG_HOME              DESKTOP-mimeapps.list…  mimeapps.list
///       1… $XDG_CONFIG_DIRS                        "                  "
///       …  $XDG_DATA_HOME/applications             "                  "         *.desktop
///       …  $XDG_DATA_DIRS/applications             "                  "         *.desktop
/// ```
/// First every level's defaults, then what is associated. A default need not be associated with its
/// type: the tool that sets defaults writes nothing else. The result is a list of candidates, best
/// first; the caller takes the first that can be used. Source: Association between MIME types and
/// applications 1.0.1.
package enum HandlerResolution {
  /// One directory's say.
  package struct Level: Hashable, Sendable {
    /// `DESKTOP-mimeapps.list`, the current desktops in order.
    ///
    /// Only their defaults count.
    package var desktopLists: [MimeAssociations]
    /// `mimeapps.list`.
    package var list: MimeAssociations
    /// Ids of the entries this directory owns (no earlier one has the id) that claim the type.
    package var claims: [String]

    package init(desktopLists: [MimeAssociations], list: MimeAssociations, claims: [String] = []) {
      self.desktopLists = desktopLists
      self.list = list
      self.claims = claims
    }
  }

  /// The chosen ones, of every level in order.
  package static func defaults(for type: String, levels: [Level]) -> [String] {
    unique(levels.flatMap { ($0.desktopLists + [$0.list]).flatMap { $0.defaults(for: type) } })
  }

  /// Those associated with the type: added by lists, or claimed by the entries themselves.
  ///
  /// `owner`: the level that owns an id, `nil` when none does. A list adds and removes only
  ///   what is owned by its own level or a later one: a package cannot take away what the person put
  ///   there.
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
