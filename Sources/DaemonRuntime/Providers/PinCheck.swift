package import WidgetCenter

/// Looks before each run whether a program is still the one that a person agreed to.
///
/// A file with the identity that it had then is not read: see `FileIdentity`. Another identity with
/// the same content, as after a restored backup, is remembered, so that it is read once.
package struct PinCheck {
  private var known: [String: (identity: FileIdentity, digest: String)] = [:]

  package init() {}

  /// Returns the path of the first file that is not as it was; `nil`: all are.
  package mutating func changedFile(of pin: ProgramPin) -> String? {
    pin.files.first { !isUnchanged($0) }?.path
  }

  private mutating func isUnchanged(_ file: PinnedFile) -> Bool {
    guard let now = FileIdentity(of: file.path) else { return false }
    if now == file.identity { return true }
    if let known = known[file.path], known.identity == now { return known.digest == file.digest }
    // A file of another size is another file, and need not be read.
    guard now.size == file.identity.size,
      case .success(let read) = PinnedFile.read(
        file.path, bytesMax: RuntimeLimits.pinnedFileBytesMax)
    else { return false }
    if known.count >= Limits.pinnedFileCountMax { known = [:] }
    known[file.path] = (read.identity, read.digest)
    return read.digest == file.digest
  }
}
