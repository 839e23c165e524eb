package import Downloads
package import JSON

/// One start of the program that downloads, from start to outcome.
///
/// Unique for the life of the process.
package struct FetchToken: Hashable, Comparable, Sendable {
  package var number: UInt64
  package init(_ number: UInt64) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The downloads that one process carries out together.
package struct FetchRequest: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    /// Its name in this request; the provider's own may occur in it several times.
    package var name: String
    package var kind: String
    /// The program in whose cache folder the files go: `WidgetKind.bundle`.
    package var bundle: String
    package var order: DownloadOrder
    /// Bytes that the files of the program may have together.
    package var folderBytesMax: Int64
    /// Whether addresses of this machine and of private networks are refused.
    package var isPublicOnly: Bool
    /// Whether a metered network may be used.
    package var mayCost: Bool

    package init(
      name: String, kind: String, bundle: String, order: DownloadOrder,
      folderBytesMax: Int64 = DownloadLimits.kindCacheBytesMax, isPublicOnly: Bool, mayCost: Bool
    ) {
      self.name = name
      self.kind = kind
      self.bundle = bundle
      self.order = order
      self.folderBytesMax = folderBytesMax
      self.isPublicOnly = isPublicOnly
      self.mayCost = mayCost
    }

    /// The line for the program; `folder` is the one of the kind's downloads.
    package func line(folder: String) -> JSONValue {
      var order = order
      order.id = name
      return DownloadRequest(
        byKind: order, folder: folder, folderBytesMax: folderBytesMax, isPublicOnly: isPublicOnly,
        mayCost: mayCost
      ).json
    }
  }

  package var token: FetchToken
  package var items: [Item]

  package init(token: FetchToken, items: [Item]) {
    self.token = token
    self.items = items
  }
}

/// The outcome of one start.
package enum FetchOutcome: Hashable, Sendable {
  /// The results, by the names of the items; those that are missing did not come to an end.
  case ended([DownloadResult])
  /// The program is not installed.
  case noProgram
  /// It could not be started, or was ended; a sentence says why.
  case failed(String)
}
