/// The name under which a block of i3blocks runs.
extension ProviderDeclaration {
  /// The names by which a script knows which block of its bar it is: `BLOCK_NAME` and
  /// `BLOCK_INSTANCE` of the manifest's `env`, else the kind and no instance.
  package func block(of kind: String) -> (name: String, instance: String) {
    func value(_ name: String) -> String? { environment.last { $0.name == name }?.value }
    return (value("BLOCK_NAME") ?? kind, value("BLOCK_INSTANCE") ?? "")
  }
}
