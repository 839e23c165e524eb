/// The limits of downloads, with their units and reasons.
package enum DownloadLimits {
  /// Bytes of a URL; servers and proxies refuse much longer ones.
  package static let urlBytesMax = 2_048
  /// Bytes of an id of a download.
  package static let idBytesMax = 64
  /// Headers that a provider may add to one request.
  package static let headerCountMax = 8
  /// Bytes of a header's name.
  package static let headerNameBytesMax = 64
  /// Bytes of a header's value: a token of an interface fits.
  package static let headerValueBytesMax = 2_048
  /// Downloads that one answer may ask for.
  package static let ordersCountMax = 8
  /// Types that one download may expect.
  package static let typeCountMax = 16
  /// Bytes of a type, such as `application/vnd.api+json`, or `image/*`.
  package static let typeBytesMax = 128
  /// Bytes of a body where the request says nothing: a feed, a calendar or a picture.
  package static let usualBodyBytesMax: Int64 = 4 << 20
  /// Bytes of a body that a provider may expect at most.
  package static let orderedBodyBytesMax: Int64 = 32 << 20
  /// Bytes of a body that a person may ask for at most.
  package static let bodyBytesMax: Int64 = 1 << 30
  /// Bytes of a body where a person says nothing.
  package static let personsBodyBytesMax: Int64 = 64 << 20
  /// Bytes of the person's cache of downloads; the oldest ones go first.
  package static let cacheBytesMax: Int64 = 256 << 20
  /// Bytes of the downloads of one kind; its whole cache has a limit of its own.
  package static let kindCacheBytesMax: Int64 = 48 << 20
  /// Files that a folder of downloads may have before the oldest ones go.
  package static let cacheFileCountMax = 4_096
  /// Names that are read of a folder; a file beyond them is removed, whatever it is: a provider can
  /// make thousands.
  package static let folderNameCountMax = 8_192
  /// Names that are looked at in one go, to be read or removed.
  package static let folderNamesSeenMax = 65_536
  /// Hosts whose pauses are kept for one kind; the oldest ones go first.
  package static let pauseCountMax = 256
  /// Bytes of a record in the cache: two URLs, an `ETag` and a few words.
  package static let recordBytesMax = 16_384
  /// Bytes of an `ETag`; a longer one is not kept, so that the body is asked for whole.
  package static let etagBytesMax = 512
  /// Bytes of all headers of an answer.
  package static let headBytesMax = 65_536
  /// Redirects that are followed.
  package static let redirectCountMax = 5
  /// Milliseconds that a download takes at most, redirects included.
  package static let totalMilliseconds: Int64 = 60_000
  /// Milliseconds that a person may allow at most.
  package static let totalMillisecondsMax: Int64 = 3_600_000
  /// Milliseconds to find the address, connect and agree on keys.
  package static let connectMilliseconds: Int64 = 15_000
  /// Bytes a second below which a transfer is too slow.
  package static let slowBytesPerSecond: Int64 = 100
  /// Seconds that a transfer may be so slow before it is given up.
  package static let slowSeconds: Int64 = 15
  /// Downloads under way at once in one process.
  package static let activeCountMax = 8
  /// Downloads of one kind under way at once: its slow servers do not hold up those of others.
  package static let activeInFolderCountMax = 2
  /// Requests that one process takes; the rest of the line is refused.
  package static let requestCountMax = 256
  /// Bytes of one request, a line of JSON.
  package static let requestBytesMax = 65_536
  /// Milliseconds that a host is left alone after its first failure; doubled with each further one.
  package static let pauseMilliseconds: Int64 = 30_000
  /// Milliseconds that a host is left alone at most after failures.
  package static let pauseMillisecondsMax: Int64 = 3_600_000
  /// Milliseconds that a server may ask to be left alone with `Retry-After`; a longer time is cut.
  package static let retryAfterMillisecondsMax: Int64 = 86_400_000
  /// Milliseconds after which a metered network is looked at again.
  package static let meteredMilliseconds: Int64 = 900_000
  /// Milliseconds after which downloads are tried again where no network was found.
  package static let unreachableMilliseconds: Int64 = 60_000
  /// Milliseconds that leftovers in the cache (half-written files, bodies without a record) may
  /// stay: another process may still be writing them.
  package static let leftoverMilliseconds: Int64 = 3_600_000
}
