import EventLoop
import Testing

@Suite struct NetworkTests {
  private static let header =
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
  private static let home = "eth0\t0002A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n"

  @Test(arguments: [
    ("eth0\t00000000\t0102A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n", true),
    // A route to half of all addresses, as some tunnels make it, is no default route.
    ("tun0\t00000000\t0102A8C0\t0003\t0\t0\t100\t00000080\t0\t0\t0\n", false),
    // In order: a route that is not up, a rejected one, the loopback device, a truncated line.
    ("eth0\t00000000\t0102A8C0\t0002\t0\t0\t100\t00000000\t0\t0\t0\n", false),
    ("eth0\t00000000\t0102A8C0\t0203\t0\t0\t100\t00000000\t0\t0\t0\n", false),
    ("lo\t00000000\t0102A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n", false),
    ("eth0\t00000000\n", false),
    ("", false),
  ])
  func `a default route that is up is a way to other networks`(_ line: String, _ isUp: Bool) {
    #expect(
      NetworkWatcher.hasDefaultRoute(ipv4: Self.header + Self.home + line, ipv6: "") == isUp)
  }

  @Test func `a default route of IPv6 counts as well`() {
    let zeros = String(repeating: "0", count: 32)
    func line(_ length: String, _ flags: String, _ interface: String) -> String {
      "\(zeros) \(length) \(zeros) 00 fe800000000000000000000000000001 00000400 00000001 00000000 \(flags) \(interface)\n"
    }
    #expect(NetworkWatcher.hasDefaultRoute(ipv4: Self.header, ipv6: line("00", "00450003", "eth0")))
    #expect(!NetworkWatcher.hasDefaultRoute(ipv4: Self.header, ipv6: line("00", "00200200", "lo")))
    #expect(
      !NetworkWatcher.hasDefaultRoute(ipv4: Self.header, ipv6: line("00", "00000201", "eth0")))
    #expect(
      !NetworkWatcher.hasDefaultRoute(ipv4: Self.header, ipv6: line("40", "00450003", "eth0")))
  }

  @Test func `where nothing can be read, the network is taken to be there`() {
    #expect(NetworkWatcher.hasDefaultRoute(ipv4: nil, ipv6: nil))
    #expect(!NetworkWatcher.hasDefaultRoute(ipv4: Self.header, ipv6: nil))
  }

  @Test func `the network is watched, and the watch can be closed`() throws {
    try onLoop { loop in
      defer { loop.stop() }
      let watcher: NetworkWatcher
      do throws(LoopError) {
        watcher = try NetworkWatcher(loop: loop) { _ in }
      } catch {
        // Some sandboxes have no netlink socket: the error says so in a sentence.
        #expect(error.message.contains("the network"))
        return
      }
      _ = watcher.isUp
      watcher.close()
    }
  }
}
