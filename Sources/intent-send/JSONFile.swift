import Glibc
import IntentProtocol
import JSON

/// Reads a JSON document from a file, or from standard input if the name is `-`.
func readJSON(_ name: String) throws(Failure) -> JSONValue {
  let source = name == "-" ? "standard input" : "'\(name)'"
  let bytes: [UInt8]
  switch readFile(name) {
  case .success(let read): bytes = read
  case .failure(.system(let code)):
    throw Failure(
      status: .failed, message: "cannot read \(source): \(systemMessage(code))",
      hints: ["name a file, or - for standard input"])
  case .failure(.tooLarge):
    throw Failure(
      status: .failed,
      message: "\(source) is longer than the daemon reads, \(WireLimits.frameBytesMax) bytes",
      hints: ["send less at once"])
  }
  do throws(JSONError) {
    return try JSONValue(parsing: bytes)
  } catch {
    let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
    throw Failure(
      status: .failed, message: "\(source) is not JSON, line \(line): \(error.message)",
      hints: ["check it with: jq . \(name == "-" ? "" : name)"])
  }
}

enum ReadFailure: Error {
  case system(Int32)
  case tooLarge
}

/// Reads a file of at most `bytesMax` bytes; `-` is standard input.
func readFile(
  _ name: String, bytesMax: Int = WireLimits.frameBytesMax
) -> Result<[UInt8], ReadFailure> {
  let descriptor = name == "-" ? STDIN_FILENO : Glibc.open(name, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return .failure(.system(errno)) }
  defer { if name != "-" { close(descriptor) } }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  while bytes.count <= bytesMax {
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      bytes += buffer[..<count]
    } else if count == 0 {
      return .success(bytes)
    } else if errno != EINTR {
      return .failure(.system(errno))
    }
  }
  return .failure(.tooLarge)
}
