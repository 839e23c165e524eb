import EventLoop
import Foundation
import Testing
import WidgetCenter

@testable import DaemonRuntime

/// Whether boxes hold here, and the variables of a program in one.
@Suite struct BoxSupportTests {
  private let folder = NSTemporaryDirectory() + "box-" + UUID().uuidString

  private func support(landlock: Int32 = 7, _ kept: [BoxPromises]) -> (BoxSupport, () -> Int) {
    var left = kept
    let support = BoxSupport(folder: folder, landlockVersion: landlock) {
      (_, _, _) throws(LoopError) in
      left.isEmpty ? [] : left.removeFirst()
    }
    return (support, { kept.count - left.count })
  }

  @Test func `a box is tried once, at the first use`() {
    defer { removeFolder() }
    let (support, trials) = support([.all, []])
    #expect(support.gaps == [] && trials() == 0)
    #expect(support.refusal() == nil && support.refusal() == nil)
    #expect(trials() == 1 && support.gaps == [])
  }

  @Test func `a promise that does not hold refuses all boxes, and is named`() throws {
    defer { removeFolder() }
    let (support, trials) = support([BoxPromises.all.subtracting(.keepsNetwork), .all])
    let reason = try #require(support.refusal())
    #expect(reason.hasSuffix("and in it the network can be reached"))
    #expect(support.refusal() == reason)
    #expect(support.gaps == [reason] && trials() == 1)
  }

  @Test func `a machine without Landlock is known before a box is tried`() throws {
    let (support, trials) = support(landlock: 0, [.all])
    let reason = try #require(support.refusal())
    #expect(reason.contains("no Landlock"))
    #expect(support.gaps == [reason] && trials() == 0)
  }

  @Test func `on this machine a box of the system's folders holds`() {
    guard Box.landlockVersion > 0 else {
      return print("this kernel has no Landlock: no box is tried here")
    }
    defer { removeFolder() }
    #expect(BoxSupport(folder: folder).refusal() == nil)
  }

  @Test func `a program in a box has no variable of the session, and proxies with the network`() {
    var environment = [
      "PATH": "/theirs/bin:/usr/local/bin:/usr/bin:relative", "HOME": "/theirs", "USER": "me",
      "LC_TIME": "C", "TZ": "UTC", "TMPDIR": "/theirs/tmp", "TOKEN": "x", "no_proxy": "localhost",
      "http_proxy": "http://me:s3cret@proxy.example:3128/",
    ]
    for name in ProviderEnvironment.session { environment[name] = "/theirs/value" }
    let given = ProviderEnvironment(environment)
    func variables(network: Bool) -> [String: String] {
      let permissions = ProviderPermissions(network: network)
      return Dictionary(
        given.boxedVariables(permissions, cache: "/cache"), uniquingKeysWith: { $1 })
    }
    let plain = [
      "PATH": "/usr/local/bin:/usr/bin", "HOME": "/cache", "USER": "me", "LC_TIME": "C",
      "TZ": "UTC", "TMPDIR": "/cache/tmp",
    ]
    #expect(variables(network: false) == plain)
    let proxies = [
      "no_proxy": "localhost", "http_proxy": "http://me:s3cret@proxy.example:3128/",
    ]
    #expect(variables(network: true) == plain.merging(proxies) { $1 })
  }

  private func removeFolder() {
    // Best effort: a folder that stays in the temporary folder is not the test's result.
    _ = try? FileManager.default.removeItem(atPath: folder)
  }
}
