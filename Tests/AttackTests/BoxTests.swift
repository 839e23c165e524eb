import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing
import WidgetCenter

/// Providers in a box that try to reach what they were not granted.
@Suite(.serialized) struct BoxTests {
  /// Runs attempts in a box, each of which must be denied.
  private func expectDenied(
    _ script: String, _ permissions: ProviderPermissions = ProviderPermissions(), count: Int,
    in rig: BoxRig, variables: [String: String] = [:], then look: () -> Void = {}
  ) throws {
    var variables = variables
    variables["ROOT"] = rig.sandbox.root
    let lines = try rig.run(attempts + script, permissions, variables: variables)
      .split(separator: "\n").map(String.init)
    #expect(lines.filter { !$0.hasSuffix(" is denied") } == [])
    #expect(lines.count == count)
    look()
    // The same attempts without a box: a test whose attempts cannot succeed proves nothing.
    let open = try rig.run(attempts + script, nil, variables: variables)
      .split(separator: "\n").map(String.init)
    #expect(open.contains { $0.hasSuffix(" WORKED") }, "\(open)")
  }

  private func withRig(_ body: (BoxRig) throws -> Void) throws {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      for (path, text) in [
        ("home/.ssh/id_ed25519", "secret"), ("home/.ssh/authorized_keys", "old\n"),
        ("home/Documents/letter", "dear"), ("home/notes", "note"),
        ("state/intentd/kept", "state"), ("cache/intentd/other/theirs", "cache"),
        ("plugin/run", ""),
      ] { try sandbox.write(path, text) }
      try body(BoxRig(sandbox: sandbox))
    }
  }

  @Test func `a provider in a box reaches no file of the person`() throws {
    try withRig { rig in
      try expectDenied(
        """
        attempt("reading a key", lambda: open(home + "/.ssh/id_ed25519").read())
        attempt("listing a folder", lambda: os.listdir(home + "/.ssh"))
        attempt("listing the home", lambda: os.listdir(home))
        attempt("adding a key", lambda: put(home + "/.ssh/authorized_keys", "a"))
        attempt("making a file", lambda: put(home + "/new"))
        attempt("cutting a file", lambda: os.truncate(home + "/notes", 0))
        attempt("changing a mode", lambda: os.chmod(home + "/notes", 0o777))
        attempt("giving a file away", lambda: os.chown(home + "/notes", 65534, 65534))
        attempt("changing its times", lambda: os.utime(home + "/notes", (1, 1)))
        attempt("a second name", lambda: os.link(home + "/notes", os.environ["INTENTD_CACHE"] + "/x"))
        attempt("another name", lambda: os.rename(home + "/notes", os.environ["INTENTD_CACHE"] + "/y"))
        attempt("removing a file", lambda: os.unlink(root + "/home/Documents/letter"))
        attempt("planting a manifest", lambda: put(root + "/config/intentd/widgets/evil.yaml"))
        attempt("reading the store", lambda: open(root + "/state/intentd/kept").read())
        attempt("reading another cache", lambda: open(root + "/cache/intentd/other/theirs").read())
        attempt("writing another cache", lambda: put(root + "/cache/intentd/other/mine"))
        attempt("writing beside itself", lambda: put(root + "/plugin/beside"))
        attempt("changing itself", lambda: put(root + "/plugin/run"))
        attempt("writing to /tmp", lambda: put("/tmp/intentd-box-" + str(os.getpid())))
        attempt("a link to a key", lambda: (os.symlink(home + "/.ssh/id_ed25519", os.environ["INTENTD_CACHE"] + "/k"), open(os.environ["INTENTD_CACHE"] + "/k").read()))
        attempt("watching the home", lambda: call("inotify_init1", 0))
        """, count: 21, in: rig
      ) {
        #expect(contents(of: rig.home + "/.ssh/authorized_keys") == "old\n")
      }
    }
  }

  @Test func `a provider in a box reaches no other process`() throws {
    try withRig { rig in
      let daemon = try rig.sandbox.startDaemon()
      try expectDenied(
        """
        class Vector(ctypes.Structure):
            _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
        buffer = ctypes.create_string_buffer(16)
        local = Vector(ctypes.cast(buffer, ctypes.c_void_p), 8)
        remote = Vector(4096, 8)
        attempt("looking whether it lives", lambda: os.kill(daemon, 0))
        attempt("waking it up", lambda: os.kill(daemon, signal.SIGCONT))
        attempt("its group", lambda: os.kill(-daemon, 0))
        attempt("its memory", lambda: open(f"/proc/{daemon}/mem", "rb").close())
        attempt("its environment", lambda: open(f"/proc/{daemon}/environ", "rb").close())
        attempt("its arguments", lambda: open(f"/proc/{daemon}/cmdline", "rb").close())
        attempt("its descriptors", lambda: os.listdir(f"/proc/{daemon}/fd"))
        attempt("its root", lambda: os.listdir(f"/proc/{daemon}/root/"))
        attempt("all processes", lambda: os.listdir("/proc"))
        attempt("tracing it", lambda: call("ptrace", 0x4206, daemon, 0, 0))
        attempt("reading it", lambda: call("process_vm_readv", daemon, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0))
        attempt("its priority", lambda: os.setpriority(os.PRIO_PROCESS, daemon, 19))
        attempt("its limits", lambda: call("prlimit", daemon, 7, None, buffer))
        attempt("its processors", lambda: os.sched_setaffinity(daemon, {0}))
        """, count: 14, in: rig, variables: ["DAEMON": "\(daemon.pid)"])
      try rig.sandbox.stop(daemon)
    }
  }

  @Test func `a provider in a box has no sockets`() throws {
    try withRig { rig in
      let daemon = try rig.sandbox.startDaemon()
      let listener = try Listener()
      defer { listener.close() }
      try expectDenied(
        """
        def connect(family, kind, address):
            with socket.socket(family, kind) as one: one.connect(address)
        attempt("the daemon", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, os.environ["SOCKET"]))
        attempt("a program here", lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(os.environ["PORT"]))))
        attempt("datagrams", lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 53)))
        attempt("listening", lambda: socket.socket(socket.AF_INET).bind(("127.0.0.1", 0)))
        attempt("version 6", lambda: socket.socket(socket.AF_INET6))
        attempt("an abstract name", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\\0nobody"))
        attempt("a bus", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "/run/dbus/system_bus_socket"))
        attempt("a pair for datagrams", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
        attempt("the kernel's routes", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
        attempt("packets", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))
        """, count: 10, in: rig,
        variables: ["SOCKET": rig.sandbox.socket, "PORT": "\(listener.port)"])
      try rig.sandbox.stop(daemon)
    }
  }

  @Test func `a provider in a box gains nothing, also as root`() throws {
    try withRig { rig in
      // Never without a box: as root these would do it.
      let text = try rig.run(
        attempts + """
          os.chdir(os.environ["INTENTD_CACHE"])
          attempt("a namespace", lambda: call("unshare", 0x10000000))
          attempt("a mount namespace", lambda: call("unshare", 0x00020000))
          attempt("mounting", lambda: call("mount", b"none", b"/opt", b"tmpfs", 0, None))
          attempt("another root", lambda: os.chroot("/usr"))
          attempt("another user", lambda: os.setuid(65533))
          attempt("other groups", lambda: os.setgroups([]))
          attempt("giving away", lambda: os.fchown(os.open("mine", os.O_CREAT | os.O_RDWR), 65533, -1))
          attempt("a device", lambda: os.mknod("null", 0o20666, os.makedev(1, 3)))
          """,
        variables: ["ROOT": rig.sandbox.root])
      #expect(
        text.split(separator: "\n").filter { $0.hasSuffix(" is denied") }.count == 8, "\(text)")
      let status = try rig.run(
        "exec grep -E '^(Cap|NoNewPrivs)' /proc/self/status", interpreter: "/bin/sh")
      for name in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
        #expect(status.contains("\(name):\t0000000000000000"), "\(status)")
      }
      #expect(status.contains("NoNewPrivs:\t1"), "\(status)")
      if getuid() == 0 { #expect(status.contains("CapBnd:\t0000000000000000"), "\(status)") }
    }
  }

  @Test func `in a box programs work, and see nothing of the session`() throws {
    try withRig { rig in
      let text = try rig.run(
        """
        import os, subprocess, tempfile, threading, datetime, socket
        thread = threading.Thread(target=lambda: print("a thread")); thread.start(); thread.join()
        print(open("beside").read().strip(), "in", os.path.basename(os.getcwd()))
        print(subprocess.run(["sh", "-c", "echo a shell; sleep 0; exit 3"], text=True, capture_output=True))
        os.makedirs(os.environ["INTENTD_CACHE"] + "/a/b")
        with open(os.environ["INTENTD_CACHE"] + "/a/b/c", "w") as file: file.write("kept")
        os.rename(os.environ["INTENTD_CACHE"] + "/a/b/c", os.environ["INTENTD_CACHE"] + "/d")
        with tempfile.TemporaryFile() as file: file.write(b"x")
        print("MemTotal" in open("/proc/meminfo").read(), len(os.listdir("/usr")) > 3)
        open("/dev/null", "w").write("x"); print(len(open("/dev/urandom", "rb").read(4)))
        one, other = socket.socketpair(); one.send(b"x"); print(other.recv(1))
        print(sorted(name for name in os.environ if name != "LC_CTYPE"))
        print(os.path.expanduser("~") == os.environ["INTENTD_CACHE"])
        """)
      #expect(
        text == """
          a thread
          beside it in plugin
          CompletedProcess(args=['sh', '-c', 'echo a shell; sleep 0; exit 3'], returncode=3, stdout='a shell\\n', stderr='')
          True True
          4
          b'x'
          ['HOME', 'INTENTD_CACHE', 'INTENTD_FAMILY', 'INTENTD_HOME', 'INTENTD_KIND', 'LANG', 'LC_TIME', 'PATH', 'TMPDIR', 'TZ', 'USER']
          True

          """)
      #expect(contents(of: rig.cache + "/boxed/d") == "kept")
    }
  }

  @Test func `a grant opens its path and nothing beside it`() throws {
    try withRig { rig in
      let read = ProviderPermissions(read: ["~/Documents"])
      try expectDenied(
        """
        attempt("a key", lambda: open(home + "/.ssh/id_ed25519").read())
        attempt("beside it", lambda: open(home + "/notes").read())
        attempt("above it", lambda: os.listdir(home))
        attempt("writing", lambda: put(home + "/Documents/letter", "a"))
        attempt("its mode", lambda: os.fchmod(os.open(home + "/Documents/letter", os.O_RDONLY), 0o777))
        attempt("its times", lambda: os.utime(os.open(home + "/Documents/letter", os.O_RDONLY), (1, 1)))
        """, read, count: 6, in: rig)
      let shows = "print(open(os.environ['ROOT'] + '/home/Documents/letter').read())"
      #expect(
        try rig.run("import os\n" + shows, read, variables: ["ROOT": rig.sandbox.root])
          .contains("dear"))
      let write = ProviderPermissions(write: ["~/Documents"])
      try expectDenied(
        """
        attempt("writing beside it", lambda: put(home + "/notes"))
        attempt("a link out of it", lambda: (os.symlink(home + "/notes", home + "/Documents/l"), open(home + "/Documents/l").read()))
        """, write, count: 2, in: rig)
      _ = try rig.run(
        "import os\nopen(os.environ['ROOT'] + '/home/Documents/letter', 'a').write('est')", write,
        variables: ["ROOT": rig.sandbox.root])
      #expect(contents(of: rig.home + "/Documents/letter").hasSuffix("est"))
    }
  }

  @Test func `with the network granted, programs connect, and still not to sockets of the person`()
    throws
  {
    try withRig { rig in
      let listener = try Listener()
      defer { listener.close() }
      let daemon = try rig.sandbox.startDaemon()
      let text = try rig.run(
        attempts + """
          def connect(family, address):
              with socket.socket(family) as one: one.connect(address)
          attempt("IP", lambda: connect(socket.AF_INET, ("127.0.0.1", int(os.environ["PORT"]))))
          attempt("a socket", lambda: connect(socket.AF_UNIX, os.environ["SOCKET"]))
          attempt("packets", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
          """, ProviderPermissions(network: true),
        variables: [
          "ROOT": rig.sandbox.root, "PORT": "\(listener.port)", "SOCKET": rig.sandbox.socket,
        ])
      #expect(text == "IP WORKED\na socket is denied\npackets is denied\n")
      try rig.sandbox.stop(daemon)
    }
  }

  @Test func `a link at a granted path gives nothing of its target`() throws {
    try withRig { rig in
      let shows = """
        import os
        home, cache = os.environ["ROOT"] + "/home", os.environ["INTENTD_CACHE"]
        def shown(path):
            try: print(path, open(path).read())
            except OSError: print("denied")
        shown(home + "/.ssh/id_ed25519")
        """
      func run(_ script: String, _ permissions: ProviderPermissions) throws -> String {
        try rig.run(script, permissions, variables: ["ROOT": rig.sandbox.root])
      }
      // A program in a box plants a link at another path that it was granted.
      try rig.sandbox.makeFolder("home/Notes/public")
      let both = ProviderPermissions(read: ["~/Notes/public"], write: ["~/Notes"])
      let plants = """

        os.rmdir(home + "/Notes/public")
        os.symlink(home + "/.ssh", home + "/Notes/public")
        """
      #expect(try run(shows + plants, both) == "denied\n")
      let refusal = "permissions.read names ~/Notes/public, which is a link to \(rig.home)/.ssh;"
      let text = try run(shows, both)
      #expect(text.contains(refusal) && !text.contains("secret"), "\(text)")
      // And one above it, and one in its own cache.
      symlink(rig.home, rig.sandbox.root + "/data-link")
      let above = try run(
        shows, ProviderPermissions(read: [rig.sandbox.root + "/data-link/Documents"]))
      #expect(above.contains("which is a link to \(rig.home)/Documents;"), "\(above)")
      symlink(rig.home + "/.ssh", rig.cache + "/boxed/data")
      let own = try run(shows, ProviderPermissions(read: [rig.cache + "/boxed/data"]))
      #expect(own.contains("would open intentd's own folder"), "\(own)")
    }
  }

  @Test func `a home that is reached through a link is granted where it really is`() throws {
    try withRig { rig in
      symlink(rig.home, rig.sandbox.root + "/linked-home")
      var linked = rig
      linked.home = rig.sandbox.root + "/linked-home"
      let text = try linked.run(
        "import os\nprint(open(os.environ['REAL'] + '/Documents/letter').read())",
        ProviderPermissions(read: ["~/Documents/"]), variables: ["REAL": rig.home])
      #expect(text == "dear\n")
    }
  }

  @Test func `a box changes no mode, owner or attribute, and sends no signal by way of a file`()
    throws
  {
    try withRig { rig in
      try expectDenied(
        """
        import fcntl, struct
        os.chdir(os.environ["INTENTD_CACHE"])
        file = os.open("mine", os.O_CREAT | os.O_RDWR)
        one, other = socket.socketpair()
        attempt("a mode", lambda: os.fchmod(file, 0o600))
        attempt("an owner", lambda: os.fchown(file, -1, -1))
        attempt("an attribute", lambda: os.setxattr(file, "user.box", b"x"))
        attempt("no attribute", lambda: os.removexattr(file, "user.box"))
        attempt("an owner for signals", lambda: fcntl.fcntl(one, 8, os.getpid()))
        attempt("a group for them", lambda: fcntl.fcntl(one, 15, struct.pack("ii", 1, os.getpid())))
        attempt("another signal", lambda: fcntl.fcntl(one, 10, 0))
        attempt("the owner of a socket", lambda: fcntl.ioctl(one, 0x8901, struct.pack("i", os.getpid())))
        attempt("its group", lambda: fcntl.ioctl(one, 0x8902, struct.pack("i", os.getpid())))
        """, count: 9, in: rig)
      // What programs do all day stays possible.
      let text = try rig.run(
        """
        cd "$INTENTD_CACHE" && echo b > one && echo a >> one && cp one two && sort -o three two \
          && touch four && touch three && mv three five && cat five && python3 -c 'print(6)'
        """, interpreter: "/bin/sh")
      #expect(text == "a\nb\n6\n")
    }
  }

  @Test func `a grant that would open intentd's own folders is refused`() throws {
    try withRig { rig in
      func message(_ permissions: ProviderPermissions) throws -> String {
        try rig.run("print('it ran')", permissions)
      }
      let root = rig.sandbox.root
      symlink(root + "/state/intentd", rig.home + "/innocent")
      for path in [root, root + "/state", root + "/state/intentd/kept", "~/innocent", "/"] {
        let text = try message(ProviderPermissions(read: [path]))
        #expect(text.contains("permissions.read names \(path), which would open"), "\(text)")
      }
      for path in [root + "/config", root + "/config/intentd/widgets", root + "/run"] {
        let text = try message(ProviderPermissions(write: [path]))
        #expect(path.hasSuffix("/run") != text.contains("permissions.write names"), "\(text)")
      }
    }
  }

  @Test func `where no box holds, a provider that needs one does not run`() throws {
    try withSandbox { sandbox in
      var rig = BoxRig(sandbox: sandbox)
      rig.landlockVersion = 0
      let text = try rig.run("print('it ran')", ProviderPermissions(network: true))
      #expect(text.hasPrefix("the provider was not started: providers that need a box do not run"))
      #expect(text.contains("no Landlock"))
      #expect(try rig.run("print('it ran')", nil) == "it ran\n")
    }
  }

  @Test func `a set-user-ID program gains privileges where they were allowed, and only there`()
    throws
  {
    guard getuid() == 0 else {
      return print("only root can make a set-user-ID program of root; not tried here")
    }
    try withSandbox { sandbox in
      try sandbox.makeFolder("plugin")
      chmod(sandbox.root, 0o755)
      let program = sandbox.root + "/plugin/as-root"
      try FileManager.default.copyItem(atPath: "/usr/bin/id", toPath: program)
      chmod(program, 0o4755)
      let rig = BoxRig(sandbox: sandbox)
      let script = "exec setpriv --reuid 65534 --regid 65534 --clear-groups ./as-root -u"
      func user(_ permissions: ProviderPermissions?, hasPrivileges: Bool) throws -> String {
        try rig.run(script, interpreter: "/bin/sh", permissions) {
          $0.hasPrivileges = hasPrivileges
        }
      }
      #expect(try user(nil, hasPrivileges: true) == "0\n")
      #expect(try user(nil, hasPrivileges: false) == "65534\n")
      guard BoxRig.isPossible else { return }
      #expect(try !user(ProviderPermissions(), hasPrivileges: true).hasPrefix("0\n"))
    }
  }
}

/// A program of this machine that listens on a port.
struct Listener {
  let descriptor: Int32
  let port: UInt16

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, size) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, pointer, &size) == 0
      }
    }
    try #require(bound)
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  func close() { Glibc.close(descriptor) }
}
