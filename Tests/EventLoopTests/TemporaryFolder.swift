import Glibc

/// A temporary folder that is removed with this value.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/eventloop.XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  deinit {
    // Tests make no folders inside it, so one level is enough.
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        unlink(file(name))
      }
      closedir(folder)
    }
    rmdir(path)
  }
}

/// Returns the text of a file; empty if it cannot be opened.
func readAll(_ path: String) -> String {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return "" }
  defer { close(descriptor) }
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count <= 0 { return String(decoding: text, as: UTF8.self) }
    text += buffer[..<count]
  }
}

/// Writes a file with `mode`.
func make(_ path: String, _ text: String, mode: mode_t) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
  precondition(descriptor >= 0)
  let bytes = Array(text.utf8)
  let count = write(descriptor, bytes, bytes.count)
  precondition(count == bytes.count)
  close(descriptor)
}
