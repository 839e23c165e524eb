package import JSON
package import Timekeeping

/// How a download ended: with a file, or with an error.
package struct DownloadResult: Hashable, Sendable {
  package struct File: Hashable, Sendable {
    /// An absolute path.
    package var path: String
    /// The status of the answer: 200, or 304; 0: the server was not asked.
    package var status: Int
    /// Whether it is the same body as the last time.
    package var isUnchanged: Bool
    package var type: String?
    package var byteCount: Int64
    /// When the server last said that this is the body.
    package var date: WallTime

    package init(
      path: String, status: Int, isUnchanged: Bool, type: String? = nil, byteCount: Int64,
      date: WallTime
    ) {
      self.path = path
      self.status = status
      self.isUnchanged = isUnchanged
      self.type = type
      self.byteCount = byteCount
      self.date = date
    }
  }

  package var id: String
  /// The file; beside an error it is the last good copy, which is old.
  package var file: File?
  package var error: DownloadError?

  package init(id: String, file: File?, error: DownloadError? = nil) {
    precondition(file != nil || error != nil, "a download ends with a file or an error")
    self.id = id
    self.file = file
    self.error = error
  }

  package var json: JSONValue {
    var object: JSONObject = ["id": .string(id)]
    if let file {
      object["file"] = .string(file.path)
      object["status"] = .int(Int64(file.status))
      object["unchanged"] = .bool(file.isUnchanged)
      if let type = file.type { object["type"] = .string(type) }
      object["bytes"] = .int(file.byteCount)
      object["date"] = .string(file.date.rfc3339)
    }
    if let error { object["error"] = error.json }
    return .object(object)
  }

  /// Reads what `json` writes; `nil` if it is something else.
  package init?(_ json: JSONValue) {
    guard let object = json.objectValue, let id = object["id"]?.stringValue,
      id.utf8.count <= DownloadLimits.idBytesMax
    else { return nil }
    self.id = id
    error = object["error"].flatMap { DownloadError($0) }
    if let path = object["file"]?.stringValue, path.hasPrefix("/"),
      let status = object["status"]?.intValue, let isUnchanged = object["unchanged"]?.boolValue,
      let count = object["bytes"]?.intValue,
      let date = object["date"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    {
      file = File(
        path: path, status: Int(clamping: status), isUnchanged: isUnchanged,
        type: object["type"]?.stringValue, byteCount: count, date: date)
    }
    guard file != nil || error != nil else { return nil }
  }
}
