/// The rules and lists that a block of sentences can name, and the check of a template's names.

/// Why a template cannot be compiled: it names something that does not exist, or rules run in a
/// circle.
struct PhraseCompileError: Error, Hashable, Sendable {
  var message: String
  var expected: String
}

/// Scopes are searched in order, so that a block's own names shadow its document's, and those the
/// language's.
struct PhraseScope: Sendable {
  /// Tells scopes apart: a rule is compiled once for each scope that calls it, since the names
  /// inside it are looked up from the caller.
  ///
  /// Blocks without names of their own share one.
  var id: Int
  var rules: [[String: PhraseTemplate]]
  /// Name to index in the grammar's lists.
  var lists: [[String: Int]]
  /// The number of leading `lists` that are the block's own.
  ///
  /// A wildcard at the edge of a template is looked up in the others.
  var localListTables = 0

  func rule(_ name: String) -> PhraseTemplate? {
    for table in rules { if let found = table[name] { return found } }
    return nil
  }

  func list(_ name: String) -> Int? {
    for table in lists { if let found = table[name] { return found } }
    return nil
  }

  func sharedList(_ name: String) -> Int? {
    for table in lists.dropFirst(localListTables) { if let found = table[name] { return found } }
    return nil
  }
}
