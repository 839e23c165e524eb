import JSON

/// Puts the bytes of picture files into what is pushed: the daemon reads no file for a client, which
/// may be anybody's, and the person who runs this command reads theirs.
enum PushedPictures {
  /// Bytes of a picture; the daemon shows none that is larger.
  private static let bytesMax = 256 * 1_024
  /// Levels of items below each other that are looked at; surfaces show eight.
  private static let depthMax = 64

  /// Returns a timeline in whose images the data stand in the place of the files' names; a relative
  /// name begins at `folder`.
  static func filled(_ timeline: JSONValue, folder: String) throws(Failure) -> JSONValue {
    try filled(timeline, folder, depth: 0)
  }

  private static func filled(
    _ value: JSONValue, _ folder: String, depth: Int
  ) throws(Failure) -> JSONValue {
    guard depth < depthMax else { return value }
    switch value {
    case .array(let values):
      var fresh: [JSONValue] = []
      for value in values { fresh.append(try filled(value, folder, depth: depth + 1)) }
      return .array(fresh)
    case .object(var object):
      for member in object.members {
        if member.key == "image", let name = member.value["file"]?.stringValue,
          case .object(var image) = member.value
        {
          image["file"] = nil
          image["data"] = .string(Base64.encode(try bytes(of: name, folder)))
          object["image"] = .object(image)
        } else {
          object[member.key] = try filled(member.value, folder, depth: depth + 1)
        }
      }
      return .object(object)
    default: return value
    }
  }

  private static func bytes(of name: String, _ folder: String) throws(Failure) -> [UInt8] {
    let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
    switch readFile(path, bytesMax: bytesMax) {
    case .success(let bytes): return bytes
    case .failure(.system(let code)):
      throw Failure(
        status: .failed, message: "cannot read the picture '\(name)': \(systemMessage(code))",
        hints: ["a relative name begins at the folder of the timeline's file"])
    case .failure(.tooLarge):
      throw Failure(
        status: .failed, message: "the picture '\(name)' has more than \(bytesMax) bytes",
        hints: ["make it smaller, such as with: convert PICTURE -resize 800x SMALLER"])
    }
  }
}
