import Glibc

/// The largest scenario file, in bytes.
///
/// Scenarios are written by hand.
private let scenarioBytesMax = 1 << 20

/// Reads a scenario file; `nil` if it cannot be read or is longer than `scenarioBytesMax`.
func readWhole(_ path: String) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while bytes.count <= scenarioBytesMax {
    let count = read(descriptor, &chunk, chunk.count)
    if count < 0 {
      if errno == EINTR { continue }
      return nil
    }
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
  return nil
}
