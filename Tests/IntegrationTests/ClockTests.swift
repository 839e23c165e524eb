import Foundation
import Glibc
import JSON
import Testing

/// A real daemon while the machine sleeps and its clock is set.
///
/// Nobody may set the clock of the machine that tests run on. Offsets of a time namespace are real, but fixed once a
/// program runs in it; so for what happens *while* the daemon runs, the C library's clock is wrapped.
struct ClockTests {
  @Test func `in a time namespace ten days ahead a daemon starts, waits and answers as ever`()
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
      // The second entry comes at its time: the wait is of the namespace's clock, the date of the machine's.
      try Self.waitForTitle("second", client)
      #expect(!daemon.errors.contains("clock.changed"))
      // The namespace changes nothing that a client sees; a daemon without one goes on from there.
      try sandbox.stop(daemon)
      let next = try sandbox.startDaemon()
      #expect(try sandbox.connect().widget("w")["entry"]?["content"]?["title"] == "second")
      try sandbox.stop(next)
    }
  }

  @Test func `after sleep, and after the clock was set back, surfaces hear of the entry of now`()
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

      // Two hours of sleep: the monotonic clock, by which the daemon waits, stood still.
      try clock.set(wall: 7_200, boot: 7_200)
      try other.call("daemon.ping")
      try Self.waitForTitle("second", surface)
      #expect(daemon.errors.components(separatedBy: "clock.changed").count == 2)

      // Somebody sets the clock back.
      try clock.set(wall: 0, boot: 7_200)
      try other.call("daemon.ping")
      try Self.waitForTitle("first", surface)
      #expect(daemon.errors.components(separatedBy: "clock.changed").count == 3)
      try sandbox.stop(daemon)
    }
  }

  // MARK: Pieces

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
    while shown != title {
      let update = try surface.notification("surface.update")
      shown = update["widgets"]?.arrayValue?.first?["entry"]?["content"]?["title"]?.stringValue
    }
  }
}

/// A clock between the daemon and the C library's, with an offset that a test changes.
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

  /// Seconds that the clocks are ahead of the machine's.
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
