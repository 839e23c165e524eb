import Glibc
import JSON
import WebPages

/// Files of the person in a folder that nobody else may read: codes, sessions and devices.
struct PrivateFolder {
  let path: String

  /// Makes the folder and those above it, for the person alone.
  func make() {
    var partial = ""
    for part in path.split(separator: "/") {
      partial += "/" + part
      // It may be there already; what is not writable is seen when a file is written.
      mkdir(partial, 0o700)
    }
  }

  /// The names of the files in it, at most `countMax`.
  func names(countMax: Int) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < countMax, let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
        place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the seconds since a file was written; `nil` if there is none, or it is not ours.
  func age(of name: String) -> Int64? {
    var info = stat()
    guard lstat("\(path)/\(name)", &info) == 0, info.st_uid == getuid(),
      info.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return max(0, Int64(time(nil)) - Int64(info.st_mtim.tv_sec))
  }

  /// Returns the bytes of a file of the person; `nil` if there is none, others may read it, or it is
  /// longer than `bytesMax`.
  func read(_ name: String, bytesMax: Int) -> [UInt8]? {
    let file = open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var info = stat()
    guard fstat(file, &info) == 0, info.st_uid == getuid(), info.st_mode & 0o077 == 0 else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: bytesMax + 1)
    let count = Glibc.read(file, &bytes, bytes.count)
    return (0...bytesMax).contains(count) ? Array(bytes[..<count]) : nil
  }

  /// Writes a file whole; false if that fails.
  func write(_ name: String, _ text: String) -> Bool {
    make()
    let temporary = "\(path)/.\(name).\(getpid())"
    unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    let bytes = Array(text.utf8)
    let count = Glibc.write(file, bytes, bytes.count)
    close(file)
    guard count == bytes.count, rename(temporary, "\(path)/\(name)") == 0 else {
      unlink(temporary)
      return false
    }
    return true
  }

  /// Removes a file; false if it was not there.
  func remove(_ name: String) -> Bool { unlink("\(path)/\(name)") == 0 }
}

/// The codes that open the page once, and the browsers that are signed in.
///
/// Each is a file, so that they outlive this program, which ends when nobody looks.
struct WebKeys {
  private let codes: PrivateFolder
  private let sessions: PrivateFolder

  init(_ places: WebPlaces) {
    codes = PrivateFolder(path: places.codes)
    sessions = PrivateFolder(path: places.sessions)
    codes.make()
    sessions.make()
  }

  /// Takes a code and signs a browser in; `nil` if the code is none, too old, or was used.
  func enter(_ code: WebSecret) -> WebSecret? {
    guard let age = codes.age(of: code.text) else { return nil }
    // Whichever request removes the file has used the code: it opens the page once.
    guard codes.remove(code.text), age <= WebLimits.codeSecondsMax else { return nil }
    var bytes = [UInt8](repeating: 0, count: 32)
    guard getentropy(&bytes, bytes.count) == 0 else { return nil }
    let session = WebSecret(random: bytes)
    let all = sessions.names(countMax: 1_024).sorted {
      (sessions.age(of: $0) ?? 0) > (sessions.age(of: $1) ?? 0)
    }
    for oldest in all.prefix(max(0, all.count + 1 - WebLimits.sessionCountMax)) {
      _ = sessions.remove(oldest)
    }
    return sessions.write(session.text, "") ? session : nil
  }

  /// Whether a cookie's value is that of a browser that is signed in.
  func isSession(_ secret: WebSecret) -> Bool {
    sessions.age(of: secret.text).map { $0 <= WebLimits.sessionSecondsMax } ?? false
  }
}

/// The devices that have a token.
struct DeviceFolder {
  private let folder: PrivateFolder

  init(_ places: WebPlaces) { folder = PrivateFolder(path: places.devices) }

  /// The devices of now: the person may have added one.
  func all() -> [PanelDevice] {
    folder.names(countMax: WebLimits.deviceCountMax).compactMap { name in
      guard let bytes = folder.read(name, bytesMax: WebLimits.deviceFileBytesMax) else {
        return nil
      }
      do throws(JSONError) {
        return PanelDevice(name: name, file: try JSONValue(parsing: bytes))
      } catch {
        // A file that was broken by hand gives nothing.
        return nil
      }
    }
  }

  /// Notes that a device got its token; false if that cannot be written.
  func noteToken(of device: PanelDevice) -> Bool {
    var device = device
    device.hasToken = true
    return folder.write(device.name, device.file.serialized + "\n")
  }
}
