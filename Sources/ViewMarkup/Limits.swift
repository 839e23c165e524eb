/// The limits of the markup of a view.
package enum MarkupLimits {
  /// Bytes of one entry's markup: a large widget of iOS takes a tenth of it.
  package static let bytesMax = 64 * 1_024
  /// Elements inside each other; browsers stop at 512.
  package static let depthMax = 256
  /// Elements of one entry's markup.
  package static let elementCountMax = 4_096
  /// Declarations of one element.
  package static let declarationCountMax = 32
  /// Bytes of an attribute that is read by people or is a URL.
  package static let attributeBytesMax = 2_048
  /// Pixels, degrees or other units of a value.
  package static let numberMax = 10_000.0
  /// Colours of a gradient.
  package static let stopCountMax = 16
  /// Columns of a grid.
  package static let trackCountMax = 64
}
