import CZlib

/// Returns the bytes as zlib compresses them, for the rows of a PNG.
package func deflated(_ bytes: [UInt8]) -> [UInt8] {
  var length = compressBound(uLong(bytes.count))
  var compressed = [UInt8](repeating: 0, count: Int(length))
  // Level 6 is zlib's own; higher ones take longer and gain little on rows of text.
  let status = unsafe compress2(&compressed, &length, bytes, uLong(bytes.count), 6)
  precondition(status == Z_OK, "zlib has room for what it said that it needs")
  return Array(compressed[..<Int(length)])
}
