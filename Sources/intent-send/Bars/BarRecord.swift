import BarLines
import Glibc
import JSON

/// A note of what a bar shows, for clicks that say only on which bar they were.
///
/// Waybar and tmux run one fixed command for a click. It finds here which widget was on screen, and
/// which revision of it. The note is beside the daemon's socket, where only the person can write,
/// and it keeps what was shown before as well: a person needs a moment to see a change, so a click
/// right after it meant what was there before.
struct BarRecord {
  private let path: String
  /// The widgets that this program noted last.
  private var noted: [ShownWidget]?

  /// Milliseconds after a change for which a click means what was shown before it: a person reacts
  /// to nothing faster.
  private static let reactionMilliseconds: Int64 = 250

  init(_ name: BarName, socketPath: String) {
    path = "\(socketPath).bars/\(name.text)"
  }

  /// Notes the widgets that are shown from `now` on, in milliseconds of the monotonic clock.
  mutating func note(_ shown: [ShownWidget], now: Int64) throws(Failure) {
    guard shown != noted else { return }
    noted = shown
    let before = lastNote?["shown"]
    let words = JSONValue.array(shown.map { .string($0.word) })
    // Several bars of one name, one a monitor, note the same.
    guard words != before else { return }
    let note: JSONValue = ["shown": words, "before": before ?? [], "at": .int(now)]
    let text = note.serialized + "\n"
    do throws(Failure) {
      try PrivateFile.write(text, path)
    } catch {
      // The first note makes the folder, and so does one after a login that emptied its place.
      let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
      guard mkdir(String(folder), 0o700) == 0 else { throw error }
      try PrivateFile.write(text, path)
    }
  }

  /// Returns the widgets that a click at `now` means; `nil` if no bar has this name.
  func shown(at now: Int64) -> [ShownWidget]? {
    guard let note = lastNote else { return nil }
    let at = note["at"]?.intValue ?? 0
    let isFresh = now >= at && now - at < Self.reactionMilliseconds
    let before = note["before"]?.arrayValue ?? []
    let words = isFresh && !before.isEmpty ? before : note["shown"]?.arrayValue ?? []
    return words.compactMap { $0.stringValue.flatMap { ShownWidget(word: $0) } }
  }

  /// The note in the file; `nil` if there is none.
  private var lastNote: JSONValue? {
    guard let text = PrivateFile.read(path) else { return nil }
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      // Somebody else wrote the file; the next change writes a note in its place.
      return nil
    }
  }
}

/// Returns the milliseconds of the monotonic clock.
func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}
