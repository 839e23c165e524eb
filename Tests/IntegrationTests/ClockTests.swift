import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests a real daemon while the machine sleeps and while its clock is set.
///
/// A test must not set the machine's clock. A time namespace shifts clocks for real, but its
/// offsets are fixed once a program runs in it. So for changes *while* the daemon runs, the tests
/// wrap the C library's clock.
struct ClockTests {
  @Test func `in a time namespace ten days ahead a daemon starts, waits and answers as usual`()
    throws
  {
    try withSandbox { sandbox in
      let unshare = [
        "--user", "--map-root-user", "--time", "--boottime", "864000", "--monotonic", "432000",
      ]
      guard Programs.isInstalled("unshare"),
        try sandbox.run("/usr/bin/unshare", unshare + ["/bin/true"]).ending == .exited(0)
      else {
        print("skipped: this kernel gives no time namespaces")
        return
      }
      try Self.addTwoEntries(sandbox, secondsBetween: 2)
      let daemon = try sandbox.start("/usr/bin/unshare", unshare + [Programs.daemon])
      try sandbox.waitUntilServing(daemon)
      let client = try sandbox.connect()
      _ = try client.call("surface.attach")
      try client.add("dated", id: "w")
      // The second entry comes at its time: the daemon waits by the namespace's clock, and the date
      // is of the machine's clock.
      try Self.waitForTitle("second", client)
      #expect(!daemon.errors.contains("clock.changed"))
      // A daemon outside the namespace continues from the stored state.
      try sandbox.stop(daemon)
      let next = try sandbox.startDaemon()
      #expect(try sandbox.connect().widget("w")["entry"]?["content"]?["title"] == "second")
      try sandbox.stop(next)
    }
  }

  @Test func `after sleep, and after the clock was set back, surfaces get the present entry`()
    throws
  {
    try withSandbox { sandbox in
      guard Programs.isInstalled("cc") else {
        print("skipped: no C compiler to wrap the clock with")
        return
      }
      try Self.addTwoEntries(sandbox, secondsBetween: 3_600)
      let clock = try WrappedClock(sandbox)
      let daemon = try sandbox.startDaemon()
      let surface = try sandbox.connect()
      _ = try surface.call("surface.attach")
      let other = try sandbox.connect()
      try other.add("dated", id: "w")
      try Self.waitForTitle("first", surface)
      #expect(!daemon.errors.contains("clock.changed"))

      // The machine slept for two hours: the monotonic clock, by which the daemon waits, stood
      // still.
      try clock.set(wall: 7_200, boot: 7_200)
      try other.call("daemon.ping")
      try Self.waitForTitle("second", surface)
      #expect(daemon.errors.components(separatedBy: "clock.changed").count == 2)

      // The person sets the clock back.
      try clock.set(wall: 0, boot: 7_200)
      try other.call("daemon.ping")
      try Self.waitForTitle("first", surface)
      #expect(daemon.errors.components(separatedBy: "clock.changed").count == 3)
      try sandbox.stop(daemon)
    }
  }

  @Test func `another zone is in force once its link is there, whatever its offset today`() throws {
    try withSandbox { sandbox in
      let zones = "/usr/share/zoneinfo"
      guard access(zones + "/Asia/Seoul", R_OK) == 0 else {
        print("skipped: no time zones are installed")
        return
      }
      // As `timedatectl` does it: another link, renamed into the place of the old one.
      func travel(to zone: String) throws {
        let link = sandbox.root + "/etc/localtime"
        try #require(symlink("\(zones)/\(zone)", link + ".new") == 0)
        try #require(rename(link + ".new", link) == 0)
      }
      try travel(to: "Asia/Tokyo")
      sandbox.environment["TZ"] = ":\(sandbox.root)/etc/localtime"
      try sandbox.widget(
        "zoned", script: "cat > /dev/null; " + Sandbox.answer(title: "$(date +%Z)"))
      let daemon = try sandbox.startDaemon()
      let surface = try sandbox.connect()
      _ = try surface.call("surface.attach")
      let other = try sandbox.connect()
      try other.add("zoned", id: "w")
      try Self.waitForTitle("JST", surface)
      // Its offset is the same, its rules are not: nothing but the new link says so.
      try travel(to: "Asia/Seoul")
      try Self.waitForTitle("KST", surface)
      try travel(to: "Europe/Berlin")
      try Self.waitForTitle("CE", surface)
      let zoned = try other.call("daemon.history")["entries"]?.arrayValue?
        .filter { $0["event"] == "zone" }.compactMap { $0["offset"]?.intValue }
      #expect(
        zoned?.count == 2 && zoned?.last == 32_400 && zoned?.first != 32_400, "\(zoned ?? [])")

      // A link to the same rules is no news, and neither is another file beside it. The widget that
      // is placed afterwards runs after the daemon has seen both.
      try travel(to: "Europe/Berlin")
      try sandbox.write("etc/other", "")
      try other.add("zoned", id: "v")
      let history = try other.call("daemon.history")["entries"]?.arrayValue ?? []
      #expect(history.count { $0["event"] == "zone" } == 2)
      try sandbox.stop(daemon)
    }
  }

  // MARK: Helpers

  private static func addTwoEntries(_ sandbox: Sandbox, secondsBetween seconds: Int) throws {
    try sandbox.widget(
      "dated",
      script: """
        cat > /dev/null
        first=$(date -u +%Y-%m-%dT%H:%M:%SZ); second=$(date -u -d "+\(seconds) seconds" +%Y-%m-%dT%H:%M:%SZ)
        echo '{"entries":[{"date":"'$first'","content":{"title":"first"}},
          {"date":"'$second'","content":{"title":"second"}}],"policy":"never"}'
        """)
  }

  private static func waitForTitle(_ title: String, _ surface: WireClient) throws {
    var shown: String?
    while shown?.hasPrefix(title) != true {
      let update = try surface.notification("surface.update")
      shown = update["widgets"]?.arrayValue?.first?["entry"]?["content"]?["title"]?.stringValue
    }
  }
}

/// A library between the daemon and the C library's clock, with an offset that a test can change.
private struct WrappedClock {
  private let path: String

  init(_ sandbox: Sandbox) throws {
    path = sandbox.root + "/offsets"
    let library = sandbox.root + "/clock.so"
    try sandbox.write(
      "clock.c",
      """
      #define _GNU_SOURCE
      #include <fcntl.h>
      #include <stdint.h>
      #include <sys/mman.h>
      #include <sys/syscall.h>
      #include <time.h>
      #include <unistd.h>
      static volatile const int64_t *offsets;
      __attribute__((constructor)) static void begin(void) {
        int descriptor = open("\(path)", O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) return;
        void *map = mmap(0, 16, PROT_READ, MAP_SHARED, descriptor, 0);
        close(descriptor);
        if (map != MAP_FAILED) offsets = map;
      }
      int clock_gettime(clockid_t id, struct timespec *time) {
        long status = syscall(SYS_clock_gettime, id, time);
        if (status == 0 && offsets && id == CLOCK_REALTIME) time->tv_sec += offsets[0];
        if (status == 0 && offsets && id == CLOCK_BOOTTIME) time->tv_sec += offsets[1];
        return (int)status;
      }
      """)
    let compiled = try sandbox.run(
      "/usr/bin/cc", ["-shared", "-fPIC", "-o", library, sandbox.root + "/clock.c"])
    try #require(compiled.ending == .exited(0), "\(compiled.errors)")
    try set(wall: 0, boot: 0)
    sandbox.environment["LD_PRELOAD"] = library
  }

  /// Sets by how many seconds the daemon's clocks are ahead of the machine's.
  func set(wall: Int64, boot: Int64) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = [wall, boot].flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    try #require(pwrite(descriptor, bytes, 16, 0) == 16)
  }
}
