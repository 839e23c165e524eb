// `#Preview` and `@Entry` for Swift code that was written for Xcode: a compiler plugin that expands
// each use of the first to nothing, and of the second to a key of the environment (`Entry.swift`).
//
// The compiler starts the plugin and sends it messages: eight bytes with the length of the message
// (little-endian), then JSON. Each message has an answer in the same form. Little of the messages
// matters here, and no syntax tree is needed; so neither is swift-syntax, which takes minutes to
// build. Source: `PluginMessages.swift` of swift-syntax describes the messages.

import Foundation

/// Reads exactly `count` bytes; `nil` at the end of the input.
func readBytes(_ count: Int) throws -> Data? {
  var data = Data()
  while data.count < count {
    guard let part = try FileHandle.standardInput.read(upToCount: count - data.count),
      !part.isEmpty
    else { return nil }
    data += part
  }
  return data
}

/// Returns the answer to a message.
func answer(to message: Data) throws -> String {
  let kinds = try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
  switch kinds.keys.first {
  case "getCapability":
    return #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#
  case "expandAttachedMacro":
    return try entryAnswer(to: kinds["expandAttachedMacro"] as? [String: Any] ?? [:])
  case "expandFreestandingMacro":
    return #"{"expandMacroResult":{"expandedSource":"","diagnostics":[]}}"#
  case "loadPluginLibrary":
    return #"{"loadPluginLibraryResult":{"loaded":false,"diagnostics":[]}}"#
  default:
    return #"{"expandMacroResult":{"diagnostics":[]}}"#
  }
}

while let header = try readBytes(8) {
  // An empty message is the end. One that is larger than any file of source is a mistake.
  let length = header.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  guard (1...(64 * 1_024 * 1_024)).contains(length), let message = try readBytes(Int(length)) else {
    break
  }
  let body = Data(try answer(to: message).utf8)
  let size = UInt64(body.count)
  let prefix = Data((0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) })
  try FileHandle.standardOutput.write(contentsOf: prefix + body)
}
