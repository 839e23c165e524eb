import CPosix
import Glibc

/// The box of a child: what its program may reach, as bytes that the child enters before it runs.
///
/// A box without paths reaches nothing; `add` gives it more. `CPosix/Box.c` is its inside.
@safe
package struct Box: Hashable, Sendable {
  /// The things that a box allows beyond its paths.
  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Sockets of IPv4 and IPv6.
    package static let network = Self(rawValue: CPOSIX_BOX_NETWORK.rawValue)
    /// A path of the person is readable: the times of open files cannot be changed.
    package static let readsHome = Self(rawValue: CPOSIX_BOX_READS_HOME.rawValue)
  }

  /// The access to a path and everything below it.
  package struct Access: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let read = Self(rawValue: CPOSIX_BOX_READ.rawValue)
    /// Reading, and running programs.
    package static let run = Self(rawValue: CPOSIX_BOX_RUN.rawValue)
    /// Reading, writing, and making and removing files and folders.
    package static let write = Self(rawValue: CPOSIX_BOX_WRITE.rawValue)
    /// Reading and writing a device.
    package static let device = Self(rawValue: CPOSIX_BOX_DEVICE.rawValue)
    /// Beside one of the others: the path gives nothing if a part of it is a symbolic link.
    package static let noLinks = Self(rawValue: CPOSIX_BOX_NO_LINKS.rawValue)
  }

  /// The rules, for `ChildSpec.box`.
  package private(set) var rules: [UInt8]

  /// The version of Landlock that this kernel offers; 0: none, and no box can be entered.
  package static var landlockVersion: Int32 { cposix_box_landlock() }

  /// Begins a box for a kernel with this version of Landlock.
  package init(_ options: Options = [], landlockVersion: Int32 = Box.landlockVersion) {
    var bytes = [UInt8](repeating: 0, count: Int(CPOSIX_BOX_BYTES_MAX))
    let length = unsafe bytes.withUnsafeMutableBytes { bytes in
      guard let place = bytes.baseAddress else { preconditionFailure("there is room for a box") }
      let status = unsafe cposix_box_begin(place, bytes.count, options.rawValue, landlockVersion)
      precondition(status == 0, "the filter of a box fits into it")
      return unsafe cposix_box_length(place)
    }
    rules = Array(bytes[..<length])
  }

  /// Begins a box for a program that reaches a bus at this path, and no other local socket.
  ///
  /// Only a supervisor enters it. The path has at most 107 bytes.
  package init(_ options: Options, bus path: String, landlockVersion: Int32) {
    var options = options
    options.insert(Options(rawValue: CPOSIX_BOX_BUS.rawValue))
    self.init(options, landlockVersion: landlockVersion)
    let isAdded = add(path, Access(rawValue: CPOSIX_BOX_BUS_SOCKET.rawValue))
    precondition(isAdded, "the first path of a box fits into it")
  }

  /// Adds a path; one that is not there when the box is entered is passed over.
  ///
  /// False: the path is not absolute, contains a zero byte, or the box is full (64 KiB).
  package mutating func add(_ path: String, _ access: Access) -> Bool {
    guard !path.utf8.contains(0) else { return false }
    var bytes = rules
    // The path, its zero up to the next word, and eight bytes before it.
    bytes += [UInt8](repeating: 0, count: path.utf8.count + 12)
    guard bytes.count <= Int(CPOSIX_BOX_BYTES_MAX) else { return false }
    let length: Int? = unsafe bytes.withUnsafeMutableBytes { bytes in
      guard let place = bytes.baseAddress,
        unsafe cposix_box_add(place, bytes.count, path, access.rawValue) == 0
      else { return nil }
      return unsafe cposix_box_length(place)
    }
    guard let length else { return false }
    rules = Array(bytes[..<length])
    return true
  }

  /// Tries the box in a short-lived child, which attempts everything that a box forbids, and returns
  /// the promises that held; waits a millisecond or two for it.
  ///
  /// - `outside`: a private folder that the box does not have.
  /// - `inside`: a folder that it may write to. A file `box-probe` comes and goes in both.
  ///
  /// The box has no network. Throws when the child could not be tried.
  package func promisesKept(outside: String, inside: String) throws(LoopError) -> BoxPromises {
    let kept: Int32 = unsafe rules.withUnsafeBytes { bytes in
      guard let place = bytes.baseAddress else { return -EINVAL }
      return unsafe cposix_box_try(place, bytes.count, outside, inside)
    }
    guard kept >= 0 else { throw LoopError(operation: "try", context: "a box", errno: -kept) }
    return BoxPromises(rawValue: UInt32(kept))
  }
}

/// The promises that a box was seen to keep on this machine.
package struct BoxPromises: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let keepsFiles = Self(rawValue: CPOSIX_BOX_KEEPS_FILES.rawValue)
  package static let keepsNetwork = Self(rawValue: CPOSIX_BOX_KEEPS_NETWORK.rawValue)
  package static let keepsSockets = Self(rawValue: CPOSIX_BOX_KEEPS_SOCKETS.rawValue)
  package static let keepsProcesses = Self(rawValue: CPOSIX_BOX_KEEPS_PROCESSES.rawValue)
  package static let keepsPrivileges = Self(rawValue: CPOSIX_BOX_KEEPS_PRIVILEGES.rawValue)
  package static let works = Self(rawValue: CPOSIX_BOX_WORKS.rawValue)

  package static let all: Self = [
    .keepsFiles, .keepsNetwork, .keepsSockets, .keepsProcesses, .keepsPrivileges, .works,
  ]

  /// A phrase for each promise that was not kept.
  package var broken: [String] {
    let phrases: [(Self, String)] = [
      (.keepsFiles, "your files can be reached"),
      (.keepsNetwork, "the network can be reached"),
      (.keepsSockets, "other programs' sockets can be reached"),
      (.keepsProcesses, "other processes can be read or ended"),
      (.keepsPrivileges, "privileges are kept"),
      (.works, "no program can work"),
    ]
    return phrases.filter { !contains($0.0) }.map(\.1)
  }
}
