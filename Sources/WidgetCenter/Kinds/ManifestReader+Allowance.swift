import JSON

/// Reads what a provider may use beyond memory and time.
extension ManifestReader {
  mutating func readAllowance(_ provider: LocatedValue) -> ProviderAllowance {
    var allowance = ProviderAllowance()
    if let item = provider["processes"] {
      if let count = Self.scalarText(item).flatMap({ Int($0) }),
        Limits.providerProcessCountRange.contains(count)
      {
        allowance.processCountMax = count
      } else {
        let range = Limits.providerProcessCountRange
        report(
          item.line, "provider.processes is \(Self.describe(item))",
          "a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
    }
    allowance.fileBytesMax = size(provider, "fileSize", default: allowance.fileBytesMax)
    allowance.cacheBytesMax = size(provider, "cache", default: allowance.cacheBytesMax)
    if provider["processorTime"] != nil {
      allowance.processorTime = duration(
        provider, "processorTime", path: "provider.processorTime",
        default: Limits.extensionProcessorTimeDefault, range: Limits.providerProcessorTimeRange)
    }
    return allowance
  }

  private mutating func size(
    _ provider: LocatedValue, _ key: String, default standard: UInt64
  ) -> UInt64 {
    guard let item = provider[key] else { return standard }
    if let bytes = Self.scalarText(item).flatMap(ByteCount.read),
      bytes >= Limits.providerFileBytesMin
    {
      return bytes
    }
    report(
      item.line, "provider.\(key) is \(Self.describe(item))",
      "a size of at least 1MB, such as 64MB or 1GB")
    return standard
  }
}
