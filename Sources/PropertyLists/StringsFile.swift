// Reads `.strings` files: the translations beside a definition file.
//
// Such a file has lines of the form `"key" = "value";`, or is an XML property list.

import JSON

/// Reads translations into a map of texts.
///
/// `file` is the name that messages use.
package func readStrings(_ bytes: [UInt8], file: String) -> LoadedDocument {
  func failed(_ line: Int, _ message: String, _ expected: String) -> LoadedDocument {
    let issue = DocumentIssue(file: file, line: line, message: message, expected: expected)
    return LoadedDocument(file: file, value: nil, issues: [issue])
  }
  guard bytes.count <= Limits.documentBytesMax else {
    return failed(
      0, "the file has \(bytes.count) bytes", "at most \(Limits.documentBytesMax) bytes")
  }
  guard let text = decodedText(bytes) else {
    return failed(0, "the file is not text in UTF-8 or UTF-16", "\"key\" = \"value\";")
  }
  if text.prefix(200).contains("<plist") || text.hasPrefix("<?xml") {
    return readPropertyList(bytes, file: file)
  }
  var reader = StringsReader(text)
  var members: [LocatedValue.Member] = []
  while let found = reader.next() {
    switch found {
    case .failure(let problem):
      return failed(reader.line, problem.message, "\"key\" = \"value\";")
    case .success(let pair): members.append(pair)
    }
  }
  return LoadedDocument(
    file: file, value: LocatedValue(.object(members), line: 1), issues: [])
}

private struct StringsReader {
  struct Problem: Error { var message: String }

  private let text: [Unicode.Scalar]
  private var index = 0
  private(set) var line = 1

  init(_ text: String) { self.text = Array(text.unicodeScalars) }

  private mutating func advance() {
    if text[index] == "\n" { line += 1 }
    index += 1
  }

  /// Skips white space and comments of both kinds; returns false if a comment does not end.
  private mutating func skip() -> Bool {
    while index < text.count {
      if text[index].properties.isWhitespace || text[index] == "\u{FEFF}" {
        advance()
      } else if text[index] == "/", index + 1 < text.count, text[index + 1] == "/" {
        while index < text.count, text[index] != "\n" { index += 1 }
      } else if text[index] == "/", index + 1 < text.count, text[index + 1] == "*" {
        index += 2
        while index + 1 < text.count, !(text[index] == "*" && text[index + 1] == "/") { advance() }
        guard index + 1 < text.count else { return false }
        index += 2
      } else {
        return true
      }
    }
    return true
  }

  mutating func next() -> Result<LocatedValue.Member, Problem>? {
    guard skip() else { return .failure(Problem(message: "a comment does not end")) }
    guard index < text.count else { return nil }
    let start = line
    guard let key = token() else { return .failure(Problem(message: "a key is no text")) }
    guard skip(), index < text.count, text[index] == "=" else {
      return .failure(Problem(message: "there is no '=' after the key \(quoted(key))"))
    }
    index += 1
    guard skip(), let value = token() else {
      return .failure(Problem(message: "the value of \(quoted(key)) is no text"))
    }
    guard skip(), index < text.count, text[index] == ";" else {
      return .failure(Problem(message: "there is no ';' after the value of \(quoted(key))"))
    }
    index += 1
    return .success(.init(key: key, line: start, value: LocatedValue(.string(value), line: start)))
  }

  /// Reads a quoted text or a bare word; `nil` if neither follows.
  private mutating func token() -> String? {
    guard index < text.count else { return nil }
    var result = String.UnicodeScalarView()
    guard text[index] == "\"" else {
      while index < text.count,
        text[index] == "_" || text[index] == "." || text[index] == "-"
          || text[index].properties.isAlphabetic || text[index].properties.numericType != nil
      {
        result.append(text[index])
        index += 1
      }
      return result.isEmpty ? nil : String(result)
    }
    index += 1
    while index < text.count, text[index] != "\"" {
      guard text[index] == "\\", index + 1 < text.count else {
        result.append(text[index])
        advance()
        continue
      }
      index += 1
      switch text[index] {
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "r": result.append("\r")
      case "U", "u":
        var digits = ""
        while digits.count < 4, index + 1 < text.count, text[index + 1].properties.isASCIIHexDigit {
          index += 1
          digits.unicodeScalars.append(text[index])
        }
        if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
          result.append(scalar)
        }
      default: result.append(text[index])
      }
      advance()
    }
    guard index < text.count else { return nil }
    index += 1
    return String(result)
  }
}
