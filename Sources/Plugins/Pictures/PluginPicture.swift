import Digests
package import JSON

/// A picture of a widget: the bytes of its file, which content names by their hash.
///
/// Plugins print pictures, other providers answer with them, and clients push them. The file is a
/// still picture; one that moves stands beside it, for surfaces that want motion.
package struct PluginPicture: Hashable, Sendable {
  /// `sha256-` and 64 hexadecimal digits, of `bytes`.
  package let hash: String
  package let header: PictureHeader
  /// A picture that stays still.
  package let bytes: [UInt8]
  /// The file that `bytes` is the first frame of; `nil`: the picture does not move.
  package let motion: Motion?

  /// A file that moves, of the same type and size as its still picture.
  package struct Motion: Hashable, Sendable {
    package let hash: String
    package let bytes: [UInt8]
  }

  /// The reason why a picture is not shown: a sentence without its period.
  package struct Refusal: Error, Hashable, Sendable {
    package var message: String

    package init(message: String) { self.message = message }
  }

  /// Returns the picture of a file whose type and size can be shown; O(bytes).
  package static func read(_ bytes: [UInt8]) -> Result<PluginPicture, Refusal> {
    header(of: bytes).flatMap { header in
      switch MovingPicture.read(bytes, header) {
      case .isStill: .success(PluginPicture(Self.hash(of: bytes), header, bytes))
      case .moves(let still):
        .success(
          PluginPicture(
            Self.hash(of: still), header, still, Motion(hash: Self.hash(of: bytes), bytes: bytes)))
      case .reachesOutside:
        .failure(
          Refusal(
            message: "a picture is a GIF with an image outside of it, and is not shown; write the"
              + " file anew with the size of its images"))
      case .hasNoStill:
        .failure(
          Refusal(
            message: "a picture moves, and its first frame is only a part of it, so it is not"
              + " shown; let the first frame cover all of it"))
      }
    }
  }

  private static func hash(of bytes: [UInt8]) -> String { "sha256-" + SHA256.digest(of: bytes) }

  private static func header(of bytes: [UInt8]) -> Result<PictureHeader, Refusal> {
    guard bytes.count <= PluginLimits.imageBytesMax else {
      return .failure(
        Refusal(
          message: "a picture has \(bytes.count) bytes; at most \(PluginLimits.imageBytesMax) are"
            + " shown"))
    }
    let read: Result<PictureHeader, Refusal>
    if SVGPicture.isMeant(bytes) {
      read = SVGPicture.read(bytes)
    } else if let header = PictureHeader.read(bytes) {
      read = .success(header)
    } else {
      let type = PictureHeader.refusedType(of: bytes) ?? "of a type that is not known"
      read = .failure(
        Refusal(message: "a picture is \(type), and not shown; give PNG, JPEG, GIF, WebP or SVG"))
    }
    guard case .success(let header) = read else { return read }
    guard header.width <= PluginLimits.imageSidePixelsMax,
      header.height <= PluginLimits.imageSidePixelsMax
    else {
      return .failure(
        Refusal(
          message: "a picture has \(header.width) × \(header.height) pixels, and is not shown; at"
            + " most \(PluginLimits.imageSidePixelsMax) × \(PluginLimits.imageSidePixelsMax) are"))
    }
    return read
  }

  private init(
    _ hash: String, _ header: PictureHeader, _ bytes: [UInt8], _ motion: Motion? = nil
  ) {
    self.hash = hash
    self.header = header
    self.bytes = bytes
    self.motion = motion
  }

  /// The hash of the file that it was read from, by which equal pictures are known.
  package var sourceHash: String { motion?.hash ?? hash }

  /// The bytes of all its files.
  package var byteCount: Int { bytes.count + (motion?.bytes.count ?? 0) }

  /// Whether one of its files has this hash.
  package func has(_ hash: String) -> Bool { self.hash == hash || motion?.hash == hash }

  /// The form in content: `{"hash", "type", "width", "height"}`, the hash of the file that moves as
  /// `motion`, and `template` for a shape that takes the colour of the text.
  package func json(isTemplate: Bool, alt: String? = nil) -> JSONValue {
    var object = description(hash)
    object["motion"] = motion.map { .string($0.hash) }
    if isTemplate { object["template"] = true }
    object["alt"] = alt.map { .string($0) }
    return .object(object)
  }

  private func description(_ hash: String) -> JSONObject {
    [
      "hash": .string(hash), "type": .string(header.form.rawValue),
      "width": .int(Int64(header.width)), "height": .int(Int64(header.height)),
    ]
  }

  // MARK: The form with its bytes

  /// The file with this hash, its bytes in Base64 as `data`; `nil`: it has none.
  package func file(_ hash: String) -> JSONObject? {
    guard let bytes = hash == self.hash ? self.bytes : hash == motion?.hash ? motion?.bytes : nil
    else { return nil }
    var object = description(hash)
    object["data"] = .string(Base64.encode(bytes))
    return object
  }

  /// The picture with all its bytes, as the store keeps it.
  package var record: JSONValue {
    var object = file(hash) ?? [:]
    if let motion {
      object["motion"] = [
        "hash": .string(motion.hash), "data": .string(Base64.encode(motion.bytes)),
      ]
    }
    return .object(object)
  }

  /// Reads a record; `nil`: it is none, or its bytes are no picture any more.
  ///
  /// The hashes are those of the record: they were made of the same bytes. A record of a daemon that
  /// cut no still pictures has a file that moves as its only one, which stays as it is until the
  /// next answer: its content names that hash.
  package init?(record: JSONValue) {
    guard let (hash, bytes) = Self.part(record),
      case .success(let header) = Self.header(of: bytes)
    else { return nil }
    var motion: Motion?
    if let value = record["motion"] {
      guard let (hash, bytes) = Self.part(value),
        case .success(header) = Self.header(of: bytes)
      else { return nil }
      motion = Motion(hash: hash, bytes: bytes)
    }
    self.init(hash, header, bytes, motion)
  }

  private static func part(_ value: JSONValue) -> (hash: String, bytes: [UInt8])? {
    guard let hash = value["hash"]?.stringValue, hash.hasPrefix("sha256-"),
      let data = value["data"]?.stringValue, let bytes = Base64.decode(data[...].utf8)
    else { return nil }
    return (hash, bytes)
  }
}

extension PluginFrame {
  /// The pictures that its content names, each once: that of the title and those of items.
  package var pictures: [PluginPicture] {
    var pictures: [PluginPicture] = []
    func add(_ item: PluginItem) {
      if let picture = item.picture,
        !pictures.contains(where: { $0.sourceHash == picture.sourceHash })
      {
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
