package import JSON
package import Plugins

/// Takes the pictures out of an answer: content names each by its hash, and the bytes are kept once
/// beside it.
///
/// A provider gives a picture as `image` of a content or of an item: `{"file": …}`, `{"data": …}`
/// in Base64, or `{"hash": …}` of one that its kind shows already. The shell reads files before the
/// answer comes here (`replacingFiles`), because the core reads none. A picture that cannot be shown
/// is left out with a warning, and the rest of the answer is shown.
package struct AnswerPictures {
  /// An answer whose pictures were taken.
  package struct Taken: Hashable, Sendable {
    /// The answer, whose content names pictures by their hashes alone.
    package var answer: JSONValue
    /// The pictures that it names, each once.
    package var pictures: [PluginPicture] = []
    /// Sentences for its author about pictures that were left out, each with its place.
    package var warnings: [String] = []
  }

  /// Takes the pictures of an answer.
  ///
  /// `known` returns those that its kind shows now; `nil`: nobody knows them here, as in a trial.
  /// An image that names one by its hash then stays as it is.
  ///
  /// O(bytes) for an answer with pictures, O(members of its content) without.
  package static func take(
    from answer: JSONValue, known: () -> [PluginPicture]? = { nil }
  ) -> Taken {
    var hasImages = false
    _ = eachImage(in: answer) { image, _ in
      hasImages = true
      return image
    }
    guard hasImages else { return Taken(answer: answer) }
    var taking = AnswerPictures(known: known())
    let changed = eachImage(in: answer) { taking.image($0, at: $1) }
    return Taken(
      answer: changed ?? answer, pictures: taking.pictures, warnings: taking.warnings)
  }

  private let known: [PluginPicture]?
  private var pictures: [PluginPicture] = []
  private var warnings: [String] = []
  private var bytesLeft = PluginLimits.frameImagesBytesMax
  private var pixelsLeft = Limits.timelinePicturePixelsMax
  /// Pictures by the data that gave them, as menus repeat theirs.
  private var read: [String: PluginPicture] = [:]

  private init(known: [PluginPicture]?) { self.known = known }

  /// Returns an image as content has it; `nil`: it is left out.
  private mutating func image(_ value: JSONValue, at place: String) -> JSONValue? {
    guard case .object(let object) = value else { return nil }
    if known == nil, object["hash"]?.stringValue != nil, object["data"] == nil,
      object["problem"] == nil
    {
      return value
    }
    switch picture(object) {
    case nil: return nil
    case .failure(let refusal):
      warn("\(place): \(refusal.message)")
      return nil
    case .success(let picture):
      guard pictures.contains(picture) || takesRoom(picture) else {
        warn(
          "\(place): all pictures of an answer together have at most"
            + " \(Limits.timelinePictureCountMax) files, \(PluginLimits.frameImagesBytesMax) bytes"
            + " and \(Limits.timelinePicturePixelsMax) pixels, and this one is beyond; give fewer or"
            + " smaller ones")
        return nil
      }
      return picture.json(
        isTemplate: object["template"]?.boolValue == true, alt: alt(object, at: place))
    }
  }

  private mutating func alt(_ object: JSONObject, at place: String) -> String? {
    guard let alt = object["alt"]?.stringValue, !alt.isEmpty else { return nil }
    guard alt.utf8.count > PluginLimits.imageAltBytesMax else { return alt }
    warn("\(place).alt has more than \(PluginLimits.imageAltBytesMax) bytes, and is cut there")
    var cut = alt.unicodeScalars.prefix(PluginLimits.imageAltBytesMax)
    while String(cut).utf8.count > PluginLimits.imageAltBytesMax { cut.removeLast() }
    return String(cut)
  }

  /// Returns the picture that an image says; `nil`: it says none, which `AnswerReview` tells.
  private mutating func picture(
    _ object: JSONObject
  ) -> Result<PluginPicture, PluginPicture.Refusal>? {
    if let problem = object["problem"]?.stringValue {
      return .failure(PluginPicture.Refusal(message: String(problem.prefix(500))))
    }
    if let data = object["data"]?.stringValue {
      if let same = read[data] { return .success(same) }
      return Self.bytes(ofData: data).flatMap { PluginPicture.read($0) }.map { picture in
        read[data] = picture
        return picture
      }
    }
    if let hash = object["hash"]?.stringValue {
      if let same = (pictures + (known ?? [])).first(where: { $0.has(hash) }) {
        return .success(same)
      }
      return .failure(
        PluginPicture.Refusal(
          message: "no widget of this kind shows the picture \(hash.prefix(80)) now, so it is not"
            + " shown; give its file or its data"))
    }
    if object["file"] != nil {
      return .failure(
        PluginPicture.Refusal(
          message: "the file is not read here: intentd reads the files of providers alone, and"
            + " intent-send push those of what it pushes; give its data in Base64"))
    }
    return nil
  }

  /// Reads Base64, also as a `data:` URL.
  private static func bytes(ofData data: String) -> Result<[UInt8], PluginPicture.Refusal> {
    var text = data.utf8[...]
    if data.hasPrefix("data:"), let comma = text.firstIndex(of: UInt8(ascii: ",")) {
      text = text[text.index(after: comma)...]
    }
    // Base64 has four characters for three bytes.
    guard text.count <= PluginLimits.imageBytesMax / 3 * 4 + 4 else {
      return .failure(
        PluginPicture.Refusal(
          message: "a picture has more than \(PluginLimits.imageBytesMax) bytes, and is not shown;"
            + " make it smaller"))
    }
    guard let bytes = Base64.decode(text), !bytes.isEmpty else {
      return .failure(
        PluginPicture.Refusal(message: "the data is not in Base64, so no picture is shown"))
    }
    return .success(bytes)
  }

  private mutating func takesRoom(_ picture: PluginPicture) -> Bool {
    let pixels = picture.header.width * picture.header.height
    guard pictures.count < Limits.timelinePictureCountMax, picture.byteCount <= bytesLeft,
      pixels <= pixelsLeft
    else { return false }
    bytesLeft -= picture.byteCount
    pixelsLeft -= pixels
    pictures.append(picture)
    return true
  }

  private mutating func warn(_ sentence: String) {
    if warnings.count < Limits.warningCountMax { warnings.append(sentence) }
  }
}

// MARK: The images of an answer

extension AnswerPictures {
  /// Puts the result of `change` in the place of each image of an answer; `nil` takes it away.
  ///
  /// - Returns: the changed answer; `nil`: it has no images.
  private static func eachImage(
    in answer: JSONValue, _ change: (JSONValue, _ place: String) -> JSONValue?
  ) -> JSONValue? {
    guard case .object(var root) = answer, case .array(var entries)? = root["entries"] else {
      return nil
    }
    var isChanged = false
    for index in entries.indices.prefix(Limits.timelineEntryCountMax) {
      guard case .object(var entry) = entries[index], case .object(let content)? = entry["content"],
        let fresh = changed(content, "entries[\(index)].content", change)
      else { continue }
      entry["content"] = .object(fresh)
      entries[index] = .object(entry)
      isChanged = true
    }
    guard isChanged else { return nil }
    root["entries"] = .array(entries)
    return .object(root)
  }

  /// Changes the images of a content or of an item, and of all below it; `nil`: there are none.
  private static func changed(
    _ object: JSONObject, _ place: @autoclosure () -> String,
    _ change: (JSONValue, _ place: String) -> JSONValue?
  ) -> JSONObject? {
    var fresh: JSONObject?
    if let image = object["image"], !image.isNull {
      fresh = object
      fresh?["image"] = change(image, "\(place()).image")
    }
    if case .array(var items)? = object["items"] {
      var isChanged = false
      for index in items.indices {
        guard case .object(let item) = items[index],
          let item = changed(item, "\(place()).items[\(index)]", change)
        else { continue }
        items[index] = .object(item)
        isChanged = true
      }
      if isChanged {
        if fresh == nil { fresh = object }
        fresh?["items"] = .array(items)
      }
    }
    if case .object(let other)? = object["alternate"],
      let other = changed(other, "\(place()).alternate", change)
    {
      if fresh == nil { fresh = object }
      fresh?["alternate"] = .object(other)
    }
    return fresh
  }

  /// Returns the hashes that a content names, those of files that move included; O(members).
  static func hashes(in content: JSONObject) -> Set<String> {
    var hashes: Set<String> = []
    _ = changed(content, "") { image, _ in
      for key in ["hash", "motion"] {
        if let hash = image[key]?.stringValue { hashes.insert(hash) }
      }
      return image
    }
    return hashes
  }
}

// MARK: Files

extension AnswerPictures {
  /// Returns an answer in whose images the bytes of files stand in the place of their names.
  ///
  /// The shell calls it with `read`, which reads a file that the provider may read, or says in a
  /// sentence why not; each name is read once. An answer that names none, or is no JSON, comes back
  /// as it is.
  package static func replacingFiles(
    in answer: [UInt8], read: (String) -> Result<[UInt8], PluginPicture.Refusal>
  ) -> [UInt8] {
    guard names("\"image\"", answer), names("\"file\"", answer) else { return answer }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: answer)
    } catch {
      // The core says what is wrong with it.
      return answer
    }
    guard let changed = replacingFiles(in: value, read: read) else { return answer }
    var bytes: [UInt8] = []
    changed.write(into: &bytes)
    return bytes
  }

  /// Does the same with a value; `nil`: it names no files.
  package static func replacingFiles(
    in answer: JSONValue, read: (String) -> Result<[UInt8], PluginPicture.Refusal>
  ) -> JSONValue? {
    var known: [String: Result<String, PluginPicture.Refusal>] = [:]
    var bytesLeft = PluginLimits.frameImagesBytesMax
    return eachImage(in: answer) { image, _ in
      guard case .object(var object) = image, let name = object["file"]?.stringValue,
        // A picture that is given twice stays as it is, so that `AnswerReview` tells.
        object["data"]?.stringValue == nil, object["hash"]?.stringValue == nil
      else { return image }
      if known[name] == nil, known.count < Limits.timelinePictureCountMax, bytesLeft > 0 {
        known[name] = read(name).map { bytes in
          bytesLeft -= bytes.count
          return Base64.encode(bytes)
        }
      }
      object["file"] = nil
      switch known[name] {
      case .success(let data): object["data"] = .string(data)
      case .failure(let refusal): object["problem"] = .string(refusal.message)
      case nil:
        object["problem"] = .string(
          "an answer has at most \(Limits.timelinePictureCountMax) picture files of"
            + " \(PluginLimits.frameImagesBytesMax) bytes in all; give fewer or smaller ones")
      }
      return .object(object)
    }
  }

  private static func names(_ word: String, _ bytes: [UInt8]) -> Bool {
    let word = Array(word.utf8)
    guard bytes.count >= word.count else { return false }
    return (0...bytes.count - word.count).contains { start in
      bytes[start] == word[0] && bytes[start + 1] == word[1]
        && bytes[start..<start + word.count].elementsEqual(word)
    }
  }
}
