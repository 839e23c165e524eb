/// The limits of a provider and all processes that it starts, together, beyond `memory` and
/// `timeout`.
package struct ProviderAllowance: Hashable, Sendable {
  /// Processes at the same time.
  package var processCountMax = Limits.providerProcessCountDefault
  /// Bytes of each file that it writes.
  package var fileBytesMax = Limits.providerFileBytesDefault
  /// Bytes of all files in its cache folder.
  package var cacheBytesMax = Limits.providerCacheBytesDefault
  /// Milliseconds of processor time: of a request for a one-shot provider, of each minute for an
  /// extension; `nil`: the timeout for a one-shot, half a minute for an extension.
  package var processorTime: Int64?

  package init() {}
}

/// A limit that ended a run.
package enum ProviderLimit: Hashable, Sendable {
  /// Bytes of memory of all its processes.
  case memory(allowed: UInt64, used: UInt64)
  /// Processes at the same time.
  case processes(allowed: UInt64, used: UInt64)
  /// Milliseconds of processor time, of a request or of a minute.
  case processorTime(allowed: Int64, ofEachMinute: Bool)
  /// Bytes of one file.
  case fileSize(allowed: UInt64)
  /// Bytes of its cache folder.
  case cacheFolder(allowed: UInt64, folder: String)

  /// The limit that was reached, and the key of the manifest that allows more.
  package var message: String {
    switch self {
    case .memory(let allowed, let used):
      "the provider and the processes that it started used \(ByteCount.write(used)) of memory; provider.memory allows \(ByteCount.write(allowed))"
    case .processes(let allowed, let used):
      "the provider ran \(used) processes at the same time; provider.processes allows \(allowed)"
    case .processorTime(let allowed, let ofEachMinute):
      "the provider used more than \(DurationText.write(allowed)) of processor time \(ofEachMinute ? "in a minute" : "for one request"); provider.processorTime allows more if you raise it"
    case .fileSize(let allowed):
      "the provider wrote a file larger than \(ByteCount.write(allowed)); provider.fileSize allows more if you raise it"
    case .cacheFolder(let allowed, let folder):
      "the provider's cache folder \(folder) holds more than \(ByteCount.write(allowed)), or too many files; remove some, or raise provider.cache"
    }
  }
}
