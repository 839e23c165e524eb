import JSON

extension ManifestReader {
  /// Reads `downloads`: whether files may be fetched over a network that costs.
  mutating func readDownloads(_ root: LocatedValue) -> Bool {
    guard let value = root["downloads"], value.node != .null else { return false }
    guard case .object = value.node else {
      report(value.line, "downloads is \(Self.describe(value))", "a mapping: {metered: true}")
      return false
    }
    warnUnknown(in: value, at: "downloads.", known: ["metered"])
    guard let metered = value["metered"], metered.node != .null else { return false }
    guard case .bool(let flag) = metered.node else {
      report(
        metered.line, "downloads.metered is \(Self.describe(metered))",
        "true, where downloads may use a network that costs, or false")
      return false
    }
    return flag
  }
}
