// Reads corpora: folders, files of JSON lines, documents.

import Glibc
import JSON

/// An error that makes a corpus unreadable.
struct CorpusError: Error, CustomStringConvertible {
  var description: String
}

/// Returns the names of the folders in a folder, sorted.
func folders(in path: String) throws -> [String] {
  guard let directory = opendir(path) else {
    throw CorpusError(description: "the folder '\(path)' cannot be read")
  }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    var info = stat()
    if !name.hasPrefix("."), stat("\(path)/\(name)", &info) == 0, info.st_mode & S_IFMT == S_IFDIR {
      names.append(name)
    }
  }
  return names.sorted()
}

func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }

func bytes(of path: String) throws -> [UInt8] {
  guard let file = fopen(path, "rb") else {
    throw CorpusError(description: "'\(path)' cannot be read")
  }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    guard count > 0 else { return bytes }
    bytes += chunk[..<count]
  }
}

func json(_ path: String) throws -> JSONValue {
  let bytes = try bytes(of: path)
  do throws(JSONError) {
    return try JSONValue(parsing: bytes)
  } catch {
    throw CorpusError(description: "'\(path)' is no JSON: \(error)")
  }
}

/// Reads a file with one JSON object on each line.
func rows(of path: String) throws -> [JSONObject] {
  var rows: [JSONObject] = []
  for line in try bytes(of: path).split(separator: UInt8(ascii: "\n")) {
    do throws(JSONError) {
      guard case .object(let row) = try JSONValue(parsing: Array(line)) else { continue }
      rows.append(row)
    } catch {
      throw CorpusError(description: "'\(path)' has a line that is no JSON: \(error)")
    }
  }
  return rows
}

/// Returns whether two values are equal, with numbers compared as numbers and members in any order.
func isEqual(_ a: JSONValue?, _ b: JSONValue?) -> Bool {
  switch (a ?? .null, b ?? .null) {
  case (.object(let first), .object(let second)):
    let keys = Set(first.members.map(\.key))
    return keys == Set(second.members.map(\.key))
      && keys.allSatisfy { isEqual(first[$0], second[$0]) }
  case (.array(let first), .array(let second)):
    return first.count == second.count && zip(first, second).allSatisfy { isEqual($0, $1) }
  case (let first, let second):
    if let one = first.doubleValue, let other = second.doubleValue { return one == other }
    return first == second
  }
}
