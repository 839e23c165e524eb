/// Status and headers of an answer.
package struct ResponseHead: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    /// In lower case.
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package var status: Int
  package var fields: [Field]

  package init(status: Int, fields: [Field] = []) {
    self.status = status
    self.fields = fields
  }

  /// Returns the value of the last field of this name, which is in lower case.
  package subscript(name: String) -> String? { fields.last { $0.name == name }?.value }

  /// The length that the answer announces; `nil`: it announces none.
  package var contentLength: Int64? {
    guard let text = self["content-length"], text.utf8.allSatisfy({ 48...57 ~= $0 }) else {
      return nil
    }
    return Int64(text)
  }
}

/// Gathers the lines of a head as libcurl hands them over, one at a time.
package struct ResponseHeadReader: Sendable {
  package enum Progress: Hashable, Sendable {
    case more
    case complete(ResponseHead)
    /// More than `DownloadLimits.headBytesMax` bytes.
    case tooLarge
  }

  private var head: ResponseHead?
  private var byteCount = 0
  private var isDone = false

  package init() {}

  /// Takes one line, with or without its end.
  ///
  /// Heads of interim answers (1xx) are passed over, and so are trailers after the body.
  package mutating func take(_ line: [UInt8]) -> Progress {
    byteCount += line.count
    guard byteCount <= DownloadLimits.headBytesMax else { return .tooLarge }
    guard !isDone else { return .more }
    let text = String(decoding: line, as: UTF8.self).trimmed
    if text.hasPrefix("HTTP/") {
      let words = text.split(separator: " ", maxSplits: 2)
      head = ResponseHead(status: words.count > 1 ? Int(words[1]) ?? 0 : 0)
    } else if text.isEmpty {
      guard let head, head.status >= 200 else { return .more }
      isDone = true
      return .complete(head)
    } else if let colon = text.firstIndex(of: ":") {
      head?.fields.append(
        ResponseHead.Field(
          name: text[..<colon].lowercased(), value: text[text.index(after: colon)...].trimmed))
    }
    return .more
  }
}

extension StringProtocol {
  /// The text without blanks and line ends at both ends.
  fileprivate var trimmed: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 || byte == 10 }
    var bytes = Array(utf8)[...]
    while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
