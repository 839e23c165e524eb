/// The limits of views and of what is made from them.
package enum Limits {
  /// Views inside each other; each takes a few hundred bytes of the stack.
  package static let viewDepthMax = 200
  /// Nodes of a tree: a large widget of iOS has a few hundred.
  package static let viewNodeCountMax = 2_000
  /// Sentences for the author about one tree.
  package static let warningCountMax = 8
  /// Items of a content: what a tall menu shows.
  package static let itemCountMax = 64
  /// Lines of text of a content.
  package static let lineCountMax = 64
  /// Bytes of a line of text.
  package static let lineBytesMax = 1_024
  /// Bytes of a picture that the provider loaded; the daemon takes no larger one.
  package static let imageBytesMax = 256 * 1_024
  /// Levels of templates of styles that resolve into each other.
  static let styleDepthMax = 8
}
