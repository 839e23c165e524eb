package import JSON

/// The number of an event: the log that it stands in, and its place there.
package struct EventID: Hashable, Sendable {
  /// Another one for each start of the server: after that, numbers begin anew.
  package var epoch: UInt64
  package var number: UInt64

  package init(epoch: UInt64, number: UInt64) {
    self.epoch = epoch
    self.number = number
  }

  /// Reads `EPOCH-NUMBER`, as a browser sends it back; `nil` if the text is none.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 41, let epoch = UInt64(parts[0]),
      let number = UInt64(parts[1])
    else { return nil }
    self.init(epoch: epoch, number: number)
  }

  package var text: String { "\(epoch)-\(number)" }
}

/// The last events, for the browsers that read them at their own pace or come back.
///
/// Source: HTML, "Server-sent events".
package struct EventLog: Sendable {
  private let epoch: UInt64
  /// The frames, oldest first; the last one has the number `last`.
  private var frames: [[UInt8]] = []
  private var byteCount = 0
  /// The number of the newest event; 0: there was none.
  private var last: UInt64 = 0

  package init(epoch: UInt64) { self.epoch = epoch }

  /// The newest event.
  package var lastID: EventID { EventID(epoch: epoch, number: last) }

  /// Adds an event; the oldest make room.
  package mutating func append(_ name: String, _ data: JSONValue) {
    last += 1
    let frame = Self.frame(name, data, id: lastID)
    frames.append(frame)
    byteCount += frame.count
    while byteCount > WebLimits.eventLogBytesMax, frames.count > 1 {
      byteCount -= frames.removeFirst().count
    }
  }

  /// Returns the frames after an event; `nil` if some of them are gone: then the reader needs
  /// everything anew.
  package func frames(after id: EventID) -> [UInt8]? {
    guard id.epoch == epoch, id.number <= last else { return nil }
    let missing = last - id.number
    guard missing <= UInt64(frames.count) else { return nil }
    return Array(frames.suffix(Int(missing)).joined())
  }

  /// Returns an event as it stands on the wire; `data` is one line, since JSON has no line break.
  package static func frame(_ name: String, _ data: JSONValue, id: EventID) -> [UInt8] {
    precondition(name.utf8.allSatisfy { (97...122).contains($0) }, "a name is lower-case letters")
    return Array("id: \(id.text)\nevent: \(name)\ndata: \(data.serialized)\n\n".utf8)
  }

  /// A comment, by which each side sees that the other one is still there.
  package static let pulse: [UInt8] = Array(":\n\n".utf8)
}
