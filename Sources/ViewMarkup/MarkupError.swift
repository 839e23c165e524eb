/// Why markup was refused.
package struct MarkupError: Error, Hashable, Sendable {
  /// The sort of a refusal.
  package enum Code: Hashable, Sendable, CaseIterable {
    case tooLarge
    case tooDeep
    case tooManyElements
    /// It is not written as the reader takes it.
    case syntax
    case unknownElement
    case unknownAttribute
    case unknownProperty
    case invalidValue
  }

  package var code: Code
  /// Bytes before the place.
  package var offset: Int
  /// A sentence for the author: the place, and what is expected.
  package var message: String

  init(_ code: Code, at offset: Int, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}
