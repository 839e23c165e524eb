/// Divides the output of a plugin that stays running into frames, and says when one is shown.
///
///     bytes ──> the frame under way ──separator──> the newest frame ──at most every 100 ms──> shown
///                        └────────────100 ms of silence────┘
///
/// A frame is what a run would have printed, and is read as that. Frames that come faster than they
/// are shown are left out but for the newest, so a flood costs no more than ten readings a second.
/// Silence shows what has come so far, because programs write a frame in pieces, and some never end
/// their last line; the frame still goes on until its separator.
///
/// Pure: the caller gives bytes as they come, and moments in milliseconds of one clock.
package struct StreamFrames: Hashable, Sendable {
  /// The end of a frame.
  package enum Division: Hashable, Sendable {
    /// Each line is a frame: Waybar, polybar's `tail`, i3blocks' `persist`.
    case lines
    /// A line `~~~` begins a new frame, which is shown as it grows: SwiftBar.
    case leading
    /// A line `~~~` ends a frame, and nothing is shown before it: SwiftBar's
    /// `useTrailingStreamSeparator`.
    case trailing
  }

  private let division: Division
  /// The bytes of the frame under way, at most `PluginLimits.streamFrameBytesMax`.
  private var current: [UInt8] = []
  /// Where the last line of `current` begins, for frames of many lines.
  private var lineStart = 0
  /// The first bytes of that line, which may be the separator even where `current` is full.
  private var lineHead: [UInt8] = []
  private var lineByteCount = 0
  /// The newest frame that was not shown yet.
  private var newest: [UInt8]?
  private var lastBytes: Int64?
  private var lastShown: Int64?
  /// Whether something came since the silence that showed `current`.
  private var hasNews = false
  /// Whole frames that were left out because a newer one came before their turn, since the start.
  package private(set) var omittedFrameCount: Int64 = 0
  /// Whether `newest` is what a silence showed of a frame that still goes on.
  private var isNewestPart = false

  /// Bytes of a line that can be a separator: with blanks behind it.
  private static let headBytes = 16

  package init(_ division: Division) { self.division = division }

  /// Makes the division of a family's streams.
  package init(_ format: PluginFormat, hasTrailingSeparator: Bool = false) {
    self.init(!format.isMenu ? .lines : hasTrailingSeparator ? .trailing : .leading)
  }

  /// Takes bytes that came at `now`; O(bytes).
  package mutating func take(_ bytes: [UInt8], at now: Int64) {
    guard !bytes.isEmpty else { return }
    if division == .lines {
      takeLines(bytes)
    } else {
      takeParts(bytes)
    }
    lastBytes = now
  }

  /// Returns the frame that is to be shown at `now`; `nil`: none is, see `nextMoment`.
  package mutating func frame(at now: Int64) -> [UInt8]? {
    if hasNews, let lastBytes, now >= lastBytes + PluginLimits.streamSilenceMilliseconds {
      hasNews = false
      if let preview {
        newest = preview
        isNewestPart = true
      }
    }
    guard let frame = newest, now >= nextTurn ?? now else { return nil }
    newest = nil
    lastShown = now
    return frame
  }

  /// Returns the last frame of a program that ended, which is shown at once; `nil`: all was shown.
  package mutating func lastFrame() -> [UInt8]? {
    if hasNews, let preview { newest = preview }
    hasNews = false
    defer {
      newest = nil
      current = []
      lineStart = 0
      lineHead = []
      lineByteCount = 0
    }
    return newest
  }

  /// The moment in milliseconds at which `frame(at:)` may have a frame; `nil`: not before bytes
  /// come.
  package var nextMoment: Int64? {
    guard let lastBytes else { return nil }
    let turn = nextTurn ?? lastBytes
    if newest != nil { return turn }
    return hasNews && hasPreview
      ? max(turn, lastBytes + PluginLimits.streamSilenceMilliseconds) : nil
  }

  /// The first moment at which the next frame may be shown.
  private var nextTurn: Int64? { lastShown.map { $0 + PluginLimits.streamIntervalMilliseconds } }

  // MARK: Lines

  private mutating func takeLines(_ bytes: [UInt8]) {
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
      append(bytes[...])
      hasNews = true
      return
    }
    // The newest wins, so the lines before the last whole one are only counted.
    let before = bytes[..<end].lastIndex(of: UInt8(ascii: "\n"))
    if let before {
      var lineCount: Int64 = 0
      for byte in bytes[...before] where byte == UInt8(ascii: "\n") { lineCount += 1 }
      omittedFrameCount += lineCount
      current.removeAll(keepingCapacity: true)
      append(bytes[(before + 1)...end])
    } else {
      append(bytes[...end])
    }
    finishFrame()
    append(bytes[(end + 1)...])
    hasNews = !current.isEmpty
  }

  /// Makes the frame under way the newest one, and begins another.
  private mutating func finishFrame() {
    if newest != nil, !isNewestPart { omittedFrameCount += 1 }
    isNewestPart = false
    // Trade storage: a flood has thousands of frames a second, and none of them allocates.
    var frame = newest ?? []
    newest = nil
    swap(&frame, &current)
    newest = frame
    current.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    current += bytes.prefix(PluginLimits.streamFrameBytesMax - current.count)
  }

  // MARK: Separators

  private mutating func takeParts(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      appendToLine(rest[...end])
      rest = rest[(end + 1)...]
      if isSeparator {
        current.removeSubrange(lineStart...)
        if isBlank { current.removeAll(keepingCapacity: true) } else { finishFrame() }
        hasNews = false
      } else {
        hasNews = true
      }
      lineStart = current.count
      lineHead.removeAll(keepingCapacity: true)
      lineByteCount = 0
    }
    appendToLine(rest)
    if !rest.isEmpty { hasNews = true }
  }

  private mutating func appendToLine(_ bytes: ArraySlice<UInt8>) {
    append(bytes)
    lineHead += bytes.prefix(Self.headBytes - lineHead.count)
    lineByteCount += bytes.count
  }

  /// Whether the line under way is the separator, with or without its end.
  private var isSeparator: Bool {
    guard lineByteCount <= Self.headBytes else { return false }
    let end = lineHead.lastIndex { !Self.blanks.contains($0) }.map { $0 + 1 } ?? 0
    return lineHead[..<end].elementsEqual("~~~".utf8)
  }

  /// Whether the frame under way has nothing to show: a separator alone clears nothing.
  private var isBlank: Bool { current.allSatisfy(Self.blanks.contains) }

  private static let blanks: [UInt8] = [0x0A, 0x0D, 0x20, 0x09]

  /// Whether silence shows the frame under way.
  private var hasPreview: Bool {
    switch division {
    case .trailing: false
    case .lines: !current.isEmpty
    case .leading: !current[..<previewEnd].allSatisfy(Self.blanks.contains)
    }
  }

  private var preview: [UInt8]? { hasPreview ? Array(current[..<previewEnd]) : nil }

  /// The end of what is shown in silence: the last line may be the beginning of a separator.
  private var previewEnd: Int {
    let isPart =
      division == .leading && lineByteCount > 0 && lineByteCount == lineHead.count
      && "~~~".utf8.starts(with: lineHead)
    return isPart ? lineStart : current.count
  }
}
