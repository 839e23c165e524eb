import EventLoop

/// The parts of the system that every box has, read-only.
///
/// A program needs its libraries, its interpreter, time zones, certificates and the like. Left out
/// is everything that tells of a person: homes, mail, logs, `/run`, other processes, the number of
/// the machine; and of `/etc` everything that is not needed for that. A path that a machine does not
/// have is passed over.
enum BoxPaths {
  /// Folders whose programs run.
  static let programs = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/snap", "/nix/store",
    "/gnu/store", "/run/current-system", "/run/opengl-driver", "/etc/alternatives", "/etc/static",
    "/etc/profiles",
  ]

  /// Files and folders that are read.
  static let read =
    [
      "ca-certificates", "ca-certificates.conf", "crypto-policies", "pki", "ssl", "gnutls",
      "debian_version", "lsb-release", "os-release", "default/locale", "fonts", "gai.conf", "group",
      "host.conf", "hostname", "hosts", "inputrc",
      "java", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ld.so.preload", "locale.alias",
      "locale.conf", "locale.gen", "localtime", "magic", "mime.types", "nsswitch.conf", "papersize",
      "passwd", "perl", "protocols", "python3", "resolv.conf", "rpc", "sensors3.conf",
      "sensors.d", "services", "shells", "terminfo", "timezone", "xattr.conf",
    ].map { "/etc/" + $0 }
    + [
      "cpuinfo", "diskstats", "filesystems", "loadavg", "meminfo", "self", "stat", "swaps",
      "sys/kernel", "sys/vm", "uptime", "version", "vmstat", "pressure",
    ].map { "/proc/" + $0 }
    // Batteries, temperatures, brightness, loads of links.
    + ["/sys/class", "/sys/devices", "/sys/bus", "/sys/fs/cgroup/cpu.stat"]

  /// Folders that the look-up of a name needs, besides sockets: `/etc/resolv.conf` may be a link
  /// into one.
  static let readWithNetwork = ["/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf"]

  static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]

  /// Returns whether a path lies in a folder whose programs run.
  static func isProgramFolder(_ path: String) -> Bool {
    programs.contains { path == $0 || path.hasPrefix($0 + "/") }
  }
}
