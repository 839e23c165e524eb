import EventLoop
import Glibc

/// Whether boxes hold on this machine, found by trying one.
///
/// It is tried once, when the first provider needs a box. Until it was seen to hold, and where it
/// does not, a provider that needs one is refused: it never runs without.
final class BoxSupport {
  /// The version of Landlock; 0: the kernel has none.
  let landlockVersion: Int32
  private let folder: String
  private let tries: (Box, String, String) throws(LoopError) -> BoxPromises
  private var tried: Tried?

  private enum Tried {
    case holds
    case broken(String)
  }

  /// `folder` gets two folders for the trial, which stay; `landlockVersion` and `tries` are others
  /// in tests.
  init(
    folder: String, landlockVersion: Int32 = Box.landlockVersion,
    tries: @escaping (Box, String, String) throws(LoopError) -> BoxPromises = {
      (box, outside, inside) throws(LoopError) in
      try box.promisesKept(outside: outside, inside: inside)
    }
  ) {
    self.folder = folder
    self.landlockVersion = landlockVersion
    self.tries = tries
  }

  /// A sentence for everything that keeps providers from running in boxes, as far as it is known.
  var gaps: [String] {
    guard landlockVersion > 0 else { return [Self.noLandlock] }
    if case .broken(let reason)? = tried { return [reason] }
    return []
  }

  private static let noLandlock =
    "providers that need a box do not run: the kernel has no Landlock; start it with landlock in lsm= (see /sys/kernel/security/lsm), or use Linux 5.13 or later"

  /// Returns why no provider can be boxed here; `nil`: boxes hold.
  func refusal() -> String? {
    guard landlockVersion > 0 else { return Self.noLandlock }
    let outcome = tried ?? attempt()
    tried = outcome
    if case .broken(let reason) = outcome { return reason }
    return nil
  }

  private func attempt() -> Tried {
    let outside = folder + "/outside"
    let inside = folder + "/inside"
    makeFolder(outside)
    makeFolder(inside)
    var box = Box(landlockVersion: landlockVersion)
    for path in BoxPaths.programs { _ = box.add(path, .run) }
    _ = box.add(inside, .write)
    do throws(LoopError) {
      let broken = try tries(box, outside, inside).broken
      guard !broken.isEmpty else { return .holds }
      return .broken(
        "providers that need a box do not run: a box was tried on this machine, and in it \(broken.joined(separator: ", "))"
      )
    } catch {
      return .broken("providers that need a box do not run: \(error.message)")
    }
  }
}

/// Makes a private folder, and those above it that are missing.
func makeFolder(_ path: String) {
  // Best effort: whoever needs the folder says what it misses.
  guard mkdir(path, 0o700) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"),
    slash > path.startIndex
  else { return }
  makeFolder(String(path[..<slash]))
  _ = mkdir(path, 0o700)
}
