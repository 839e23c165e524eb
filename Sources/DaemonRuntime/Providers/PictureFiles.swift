import Glibc
import Plugins
import WidgetCenter

/// Reads the picture files that the answers of a provider name, before an answer enters the core.
///
/// A provider in a box may say any name, and what it names is shown on surfaces that others may
/// see. So a file counts only below the folders that the provider reads itself, and no symbolic link
/// is followed on the way from there: the program could exchange one for another between a check and
/// the reading. The file is opened once, and everything is asked of the open file.
struct PictureFiles {
  /// The folder that relative names begin at.
  let base: String
  /// The folders that the provider reads, absolute; the base is one of them or it is none.
  let folders: [String]

  /// Returns the answer with the bytes of its picture files in the place of their names.
  func filled(_ answer: [UInt8]) -> [UInt8] {
    AnswerPictures.replacingFiles(in: answer) { read($0) }
  }

  /// Reads one file; O(bytes), at most `PluginLimits.imageBytesMax`.
  func read(_ name: String) -> Result<[UInt8], PluginPicture.Refusal> {
    let path = name.hasPrefix("/") ? name : base + "/" + name
    let shown = "the picture file '\(name.prefix(200))'"
    guard !name.utf8.contains(0), let (folder, steps) = place(of: path) else {
      return .failure(
        PluginPicture.Refusal(
          message: "\(shown) is in no folder of this provider, and is not shown; put it beside the"
            + " manifest, or into $INTENTD_CACHE"))
    }
    var descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for (index, step) in steps.enumerated() {
      guard descriptor >= 0 else { break }
      let isLast = index == steps.count - 1
      let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
      let next = openat(descriptor, step, isLast ? flags : flags | O_DIRECTORY)
      let error = errno
      close(descriptor)
      errno = error
      descriptor = next
    }
    guard descriptor >= 0 else { return .failure(Self.notOpened(shown, errno)) }
    defer { close(descriptor) }
    return Self.content(of: descriptor, shown)
  }

  /// The folder that a path is below, and the steps from there; `nil`: it is below none.
  private func place(of path: String) -> (folder: String, steps: [String])? {
    for folder in folders where path.hasPrefix(folder + "/") {
      let steps = path.dropFirst(folder.count + 1).split(separator: "/").map(String.init)
      guard !steps.isEmpty, !steps.contains(".."), !steps.contains(".") else { continue }
      return (folder, steps)
    }
    return nil
  }

  private static func notOpened(_ shown: String, _ error: Int32) -> PluginPicture.Refusal {
    let rest =
      switch error {
      case ENOENT: "is not there; write it before the answer names it"
      case ELOOP: "is a symbolic link, and is not shown; name the file itself"
      case ENOTDIR: "is below something that is no folder, or a symbolic link; name the file itself"
      case EACCES, EPERM: "cannot be read; let its owner read it"
      default: "cannot be opened: \(String(cString: strerror(error)))"
      }
    return PluginPicture.Refusal(message: "\(shown) \(rest)")
  }

  private static func content(
    of descriptor: Int32, _ shown: String
  ) -> Result<[UInt8], PluginPicture.Refusal> {
    func failure(_ rest: String) -> Result<[UInt8], PluginPicture.Refusal> {
      .failure(PluginPicture.Refusal(message: "\(shown) \(rest)"))
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return failure("is no regular file, and is not shown; write the picture to a file")
    }
    guard status.st_size <= PluginLimits.imageBytesMax else {
      return failure(
        "has \(status.st_size) bytes; at most \(PluginLimits.imageBytesMax) are shown: make it"
          + " smaller")
    }
    // One more than it has: a file that grows meanwhile is not taken in part.
    let room = Int(status.st_size) + 1
    var count = 0
    var error: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      while count < room {
        let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, room - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { error = errno }
        guard got > 0 else { break }
        count += got
      }
      filled = count
    }
    guard error == 0 else { return failure("cannot be read: \(String(cString: strerror(error)))") }
    guard count == Int(status.st_size) else {
      return failure("changed while it was read; write it under another name and rename it")
    }
    return .success(bytes)
  }
}
