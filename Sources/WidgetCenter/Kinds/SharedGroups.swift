import JSON

/// Decides which kinds have the folder of the group that their manifests name.
///
/// A group belongs to the app that the manifests in folders of the person's own, or of the system,
/// name beside it. If they name several apps, it is that whose id the name of the group begins with,
/// and else none of them. A kind of such a manifest with that app has the folder. Every other kind
/// asks for it as for a permission: one of another app or of none, and each one that was installed,
/// since what comes from elsewhere may say that it belongs to any app.
package enum SharedGroups {
  /// Returns the app to which each group belongs; groups that belong to nobody are left out.
  package static func owners(among kinds: [WidgetKind]) -> [String: String] {
    var apps: [String: Set<String>] = [:]
    for kind in kinds where kind.origin == .own {
      guard let group = kind.group, let app = kind.app else { continue }
      apps[group, default: []].insert(app)
    }
    var owners: [String: String] = [:]
    for (group, named) in apps { owners[group] = owner(of: group, among: named) }
    return owners
  }

  /// Returns the only app, or of several the one after which the group is named: the longest id with
  /// which its name begins, capitals aside.
  private static func owner(of group: String, among apps: Set<String>) -> String? {
    guard apps.count > 1 else { return apps.first }
    let name = group.lowercased()
    let near = apps.filter { app in
      let id = app.lowercased()
      return name == id || name.hasPrefix(id + ".")
    }
    let longest = near.map(\.utf8.count).max()
    let candidates = near.filter { $0.utf8.count == longest }
    return candidates.count == 1 ? candidates.first : nil
  }

  /// Returns the kinds, each with the folder of its group if it may have it, and with a permission
  /// to ask for where it needs one.
  ///
  /// `kinds`: all that are offered, held by their consents.
  package static func shared(among kinds: [WidgetKind]) -> [WidgetKind] {
    guard kinds.contains(where: { $0.group != nil }) else { return kinds }
    let owners = owners(among: kinds)
    func isOwners(_ kind: WidgetKind) -> Bool {
      guard let group = kind.group, let app = kind.app else { return false }
      return kind.origin == .own && owners[group] == app
    }
    // The kinds of a bundle have one program, so all of them have the folder or none.
    let asking = Set(kinds.lazy.filter { $0.group != nil && !isOwners($0) }.map(\.bundle))
    return kinds.map { kind in
      guard let group = kind.group else { return kind }
      var kind = kind
      let isOwn = !asking.contains(kind.bundle)
      kind.asked.group = isOwn ? nil : group
      kind.provider.group = isOwn || kind.consent?.granted.group == group ? group : nil
      return kind
    }
  }

  /// Says that a kind does not have the folder of the group that its manifest names, and what gives
  /// it; `nil`: it has the folder, or names none.
  ///
  /// `kind` is one that `shared` returned.
  package static func lack(of kind: WidgetKind) -> (message: String, remedy: String)? {
    guard let group = kind.group, kind.provider.group == nil else { return nil }
    let grant = "intent-send permissions \(kind.bundle) --grant"
    // An installed kind has the folder with consent alone, whatever its manifest says.
    guard kind.app != nil || kind.origin != .own else {
      return (
        "group is '\(group)' without the app that it belongs to, so its program is not given the"
          + " folder",
        "app: the desktop id of the app, beside group; or your yes: \(grant)"
      )
    }
    return (
      "group is '\(group)', which needs your consent here, so its program is not given the folder",
      grant
    )
  }

  /// Returns the groups whose folders an app has: those of its kinds that have them, by name.
  package static func groups(of app: String, among kinds: some Sequence<WidgetKind>) -> [String] {
    Set(kinds.filter { $0.app == app }.compactMap(\.provider.group)).sorted()
  }
}

extension ManifestReader {
  /// Reads `group`: a name by the rules of a kind's.
  mutating func readGroup(_ root: LocatedValue) -> String? {
    guard let value = text(root, "group", required: false) else { return nil }
    guard Self.isIdentifier(value.value) else {
      report(
        value.line, "group is '\(value.value)'",
        "letters, digits, '.', '-' and '_', such as org.example.mail, at most \(Limits.widgetIDLengthMax)"
      )
      return nil
    }
    return value.value
  }
}
