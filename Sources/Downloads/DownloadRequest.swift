package import JSON

/// One download with everything that decides how it is done.
package struct DownloadRequest: Hashable, Sendable {
  package var order: DownloadOrder
  /// The folder of the files; `nil`: the person's own cache.
  package var folder: String?
  /// Bytes that the files in the folder may have together.
  package var folderBytesMax: Int64
  /// Whether addresses of this machine and of private networks are refused, and proxies not used.
  package var isPublicOnly: Bool
  /// Whether a metered network may be used.
  package var mayCost: Bool
  /// Whether a person waits for it, and not a widget.
  package var isForPerson: Bool
  /// Milliseconds; a younger copy is used without asking.
  package var maxAgeMilliseconds: Int64?
  /// Whether the network must not be asked.
  package var isOffline: Bool
  /// Milliseconds that the download may take.
  package var totalMilliseconds: Int64

  /// Makes the request of a person.
  package init(byPerson order: DownloadOrder) {
    self.order = order
    folder = nil
    folderBytesMax = DownloadLimits.cacheBytesMax
    isPublicOnly = false
    mayCost = true
    isForPerson = true
    maxAgeMilliseconds = nil
    isOffline = false
    totalMilliseconds = DownloadLimits.totalMilliseconds
  }

  /// Makes the request of a widget's kind.
  package init(
    byKind order: DownloadOrder, folder: String,
    folderBytesMax: Int64 = DownloadLimits.kindCacheBytesMax, isPublicOnly: Bool, mayCost: Bool
  ) {
    self.init(byPerson: order)
    self.folder = folder
    self.folderBytesMax = folderBytesMax
    self.isPublicOnly = isPublicOnly
    self.mayCost = mayCost
    isForPerson = false
  }

  /// Reads a line that the daemon wrote: an order with `folder`, `folderBytes`, `publicOnly` and
  /// `metered`.
  package init(_ json: JSONValue) throws(DownloadMistake) {
    guard case .object(var object) = json else {
      throw DownloadMistake("", "it is \(json.typeName)", "an object with id and url")
    }
    guard let folder = object["folder"]?.stringValue, folder.hasPrefix("/"),
      folder.utf8.count <= 4_096, !folder.utf8.contains(0)
    else { throw DownloadMistake("folder", "it is no absolute path", "the folder of the files") }
    guard let isPublicOnly = object["publicOnly"]?.boolValue,
      let mayCost = object["metered"]?.boolValue
    else {
      throw DownloadMistake("publicOnly, metered", "one is no truth value", "true or false")
    }
    guard let bytes = object["folderBytes"]?.intValue, bytes >= 0 else {
      throw DownloadMistake("folderBytes", "it is no number of bytes", "0 or more")
    }
    for member in ["folder", "folderBytes", "publicOnly", "metered"] { object[member] = nil }
    self.init(
      byKind: try DownloadOrder(.object(object)), folder: folder, folderBytesMax: bytes,
      isPublicOnly: isPublicOnly, mayCost: mayCost)
  }

  /// The line that `init(_:)` reads; only of a request for a kind.
  package var json: JSONValue {
    guard case .object(var object) = order.json else {
      preconditionFailure("an order is an object")
    }
    object["folder"] = .string(folder ?? "")
    object["folderBytes"] = .int(folderBytesMax)
    object["publicOnly"] = .bool(isPublicOnly)
    object["metered"] = .bool(mayCost)
    return .object(object)
  }
}
