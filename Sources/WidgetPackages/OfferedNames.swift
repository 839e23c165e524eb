/// The names that code may use here: those of the SDK and those of Swift's toolchain.
enum OfferedNames {
  /// Types that code may name.
  static func hasType(_ name: String) -> Bool {
    types.contains(name[...]) || ToolchainNames.types.contains(name[...])
      || OfferedModules.all.contains(name) || name == "Self" || name == "Any"
  }

  /// Functions, properties and cases that code may name behind a dot.
  static func hasMember(_ name: String) -> Bool {
    members.contains(name[...]) || ToolchainNames.members.contains(name[...])
  }
}
