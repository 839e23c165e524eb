import Documents
import JSON
import Testing
import WidgetCenter

/// The limits that a manifest sets for the processes of its provider.
@Suite struct ManifestAllowanceTests {
  private func read(_ lines: String...) throws -> (provider: ProviderDeclaration?, issues: [String])
  {
    let right = ["kind: w", "name: W", "families: [systemSmall]", "provider:", "  exec: [w]"]
    let text = (right + lines).joined(separator: "\n")
    let document = readYAML(text, file: "w.yaml")
    let value = try #require(document.value)
    let read = ManifestReader.read(
      ManifestSource(file: "w.yaml", directory: "/home/me/widgets", document: value))
    return (read.kind?.provider, read.issues.map(\.description))
  }

  @Test func `a manifest that says nothing has the defaults`() throws {
    let provider = try #require(try read().provider)
    #expect(provider.allowance == ProviderAllowance())
    #expect(provider.allowance.processCountMax == 64)
    #expect(!provider.needsNetwork)
  }

  @Test func `a manifest may allow other amounts`() throws {
    let read = try read(
      "  processes: 8", "  fileSize: 1MB", "  cache: 2GB", "  processorTime: 1.5s",
      "needs: network")
    var expected = ProviderAllowance()
    expected.processCountMax = 8
    expected.fileBytesMax = 1 << 20
    expected.cacheBytesMax = 2 << 30
    expected.processorTime = 1_500
    #expect(read.issues == [])
    #expect(read.provider?.allowance == expected)
    #expect(read.provider?.needsNetwork == true)
  }

  @Test func `amounts out of range are mistakes`() throws {
    let read = try read(
      "  processes: 0", "  fileSize: 1KB", "  cache: much", "  processorTime: 1ms")
    #expect(
      read.issues == [
        "w.yaml:6: error: provider.processes is '0'; expected a whole number from 1 to 1000",
        "w.yaml:7: error: provider.fileSize is '1KB'; expected a size of at least 1MB, such as 64MB or 1GB",
        "w.yaml:8: error: provider.cache is 'much'; expected a size of at least 1MB, such as 64MB or 1GB",
        "w.yaml:9: error: provider.processorTime is '1ms'; expected a duration such as 30s, 5m or 2h, from 100ms to 1h",
      ])
    #expect(try self.read("  processes: 1000").issues == [])
    #expect(try self.read("  processes: 1001").issues.count == 1)
  }

  @Test(
    arguments: [
      (0, "0B"), (1_023, "1023B"), (1_024, "1KB"), (64 << 20, "64MB"), (284_584_345, "271.4MB"),
      (3 << 29, "1.5GB"),
    ] as [(UInt64, String)])
  func `a number of bytes is written as people write it`(bytes: UInt64, text: String) {
    #expect(ByteCount.write(bytes) == text)
  }
}
