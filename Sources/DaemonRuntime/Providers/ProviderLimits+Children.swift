import EventLoop
import WidgetCenter

/// The limits of a provider's processes, and what reaching one means.
extension ProviderLauncher {
  /// Returns what all processes of a provider may use together.
  static func limits(of provider: ProviderDeclaration, cacheFolder: String) -> ChildLimits {
    var limits = ChildLimits()
    limits.treeBytesMax = provider.memory
    limits.processCountMax = UInt64(provider.allowance.processCountMax)
    limits.fileBytesMax = provider.allowance.fileBytesMax
    limits.cacheBytesMax = provider.allowance.cacheBytesMax
    limits.cacheFolder = cacheFolder
    limits.cpuMicrosecondsMax = UInt64(provider.processorTime) * 1_000
    if provider.staysRunning {
      limits.cpuWindowMicroseconds = UInt64(Limits.extensionProcessorWindow) * 1_000
    }
    return limits
  }
}

extension ProviderDeclaration {
  /// Whether its process outlives a request: an extension, or a stream.
  var staysRunning: Bool { providerProtocol == .extension || isStream }

  /// Milliseconds of processor time that it may use: of a request, or in a minute of one that stays
  /// running.
  var processorTime: Int64 {
    if let declared = allowance.processorTime { return declared }
    return staysRunning ? Limits.extensionProcessorTimeDefault : timeout
  }
}

extension ProviderFailure.Reason {
  /// The failure that the end of a provider's process is.
  init(
    _ exit: ChildExit, of provider: ProviderDeclaration, cacheFolder: String,
    notStarted: (String) -> String
  ) {
    switch exit {
    case .exited(let code): self = .exited(code: code)
    case .signaled(let signal): self = .signaled(signal: signal)
    case .notStarted(let reason): self = .notStarted(notStarted(reason))
    case .unsupervised: self = .unsupervised
    case .overLimit(let limit, let measured):
      self = .overLimit(
        ProviderLimit(limit, measured: measured, of: provider, cacheFolder: cacheFolder))
    }
  }
}

extension ProviderLimit {
  fileprivate init(
    _ limit: ChildLimit, measured: UInt64, of provider: ProviderDeclaration, cacheFolder: String
  ) {
    switch limit {
    case .memory: self = .memory(allowed: provider.memory, used: measured)
    case .processes:
      self = .processes(allowed: UInt64(provider.allowance.processCountMax), used: measured)
    case .processorTime:
      self = .processorTime(
        allowed: provider.processorTime, ofEachMinute: provider.staysRunning)
    case .fileSize: self = .fileSize(allowed: provider.allowance.fileBytesMax)
    case .cacheFolder:
      self = .cacheFolder(allowed: provider.allowance.cacheBytesMax, folder: cacheFolder)
    }
  }
}
