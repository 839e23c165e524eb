package import JSON

/// A picture that a plugin printed: the bytes of its file, which content names by their hash.
package struct PluginPicture: Hashable, Sendable {
  /// `sha256-` and 64 hexadecimal digits.
  package let hash: String
  package let header: PictureHeader
  package let bytes: [UInt8]

  /// The reason why a picture is not shown: a sentence without its period.
  package struct Refusal: Error, Hashable, Sendable {
    package var message: String
  }

  /// Returns the picture of a file whose type and size can be shown; O(bytes).
  package static func read(_ bytes: [UInt8]) -> Result<PluginPicture, Refusal> {
    header(of: bytes).map { header in
      PluginPicture(hash: "sha256-" + SHA256.digest(of: bytes), header: header, bytes: bytes)
    }
  }

  private static func header(of bytes: [UInt8]) -> Result<PictureHeader, Refusal> {
    guard bytes.count <= PluginLimits.imageBytesMax else {
      return .failure(
        Refusal(
          message: "a picture has \(bytes.count) bytes; at most \(PluginLimits.imageBytesMax) are"
            + " shown"))
    }
    guard let header = PictureHeader.read(bytes) else {
      let type = PictureHeader.refusedType(of: bytes) ?? "of a type that is not known"
      return .failure(
        Refusal(message: "a picture is \(type), and not shown; print PNG, JPEG, GIF or WebP"))
    }
    guard header.width <= PluginLimits.imageSidePixelsMax,
      header.height <= PluginLimits.imageSidePixelsMax
    else {
      return .failure(
        Refusal(
          message: "a picture has \(header.width) × \(header.height) pixels, and is not shown; at"
            + " most \(PluginLimits.imageSidePixelsMax) × \(PluginLimits.imageSidePixelsMax) are"))
    }
    return .success(header)
  }

  private init(hash: String, header: PictureHeader, bytes: [UInt8]) {
    self.hash = hash
    self.header = header
    self.bytes = bytes
  }

  /// The form in content: `{"hash", "type", "width", "height"}`, and `template` for a shape that
  /// takes the colour of the text.
  func json(isTemplate: Bool) -> JSONValue {
    var object = description
    if isTemplate { object["template"] = true }
    return .object(object)
  }

  private var description: JSONObject {
    [
      "hash": .string(hash), "type": .string(header.form.rawValue),
      "width": .int(Int64(header.width)), "height": .int(Int64(header.height)),
    ]
  }

  // MARK: The form with its bytes

  /// The picture with its bytes in Base64 as `data`.
  package var record: JSONValue {
    var object = description
    object["data"] = .string(Base64.encode(bytes))
    return .object(object)
  }

  /// Reads a record; `nil`: it is none, or its bytes are no picture any more.
  ///
  /// The hash is that of the record: it was made of the same bytes.
  package init?(record: JSONValue) {
    guard let hash = record["hash"]?.stringValue, hash.hasPrefix("sha256-"),
      let data = record["data"]?.stringValue, let bytes = Base64.decode(data[...].utf8),
      case .success(let header) = Self.header(of: bytes)
    else { return nil }
    self.init(hash: hash, header: header, bytes: bytes)
  }
}

extension PluginFrame {
  /// The pictures that its content names, each once: that of the title and those of items.
  package var pictures: [PluginPicture] {
    var pictures: [PluginPicture] = []
    func add(_ item: PluginItem) {
      if let picture = item.picture, !pictures.contains(where: { $0.hash == picture.hash }) {
        pictures.append(picture)
      }
      item.items.forEach(add)
      item.alternate.forEach(add)
    }
    if let title = titles.first { add(title) }
    items.forEach(add)
    return pictures
  }
}
