/// The last bytes of a standard error.
struct DiagnosticsTail {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more.suffix(ProviderLimits.diagnosticsBytesMax))
    if bytes.count > 2 * ProviderLimits.diagnosticsBytesMax { trim() }
  }

  mutating func trim() {
    bytes.removeFirst(max(0, bytes.count - ProviderLimits.diagnosticsBytesMax))
  }

  var text: String {
    var tail = self
    tail.trim()
    return String(decoding: tail.bytes, as: UTF8.self)
  }
}
