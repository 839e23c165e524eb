/// A key that a person pressed.
enum WatchKey: Hashable {
  case character(Character)
  case up, down, left, right, home, end, pageUp, pageDown, enter, escape
  /// Ctrl and a letter.
  case control(Character)
}

/// Reads keys from the bytes that a terminal in raw mode sends.
///
/// A key such as an arrow is several bytes that begin with ESC. ESC by itself is such a beginning,
/// too: the caller calls `end` when no byte followed for a moment. Sequences of unknown keys, and
/// bytes beyond ASCII, are skipped.
struct WatchKeyReader {
  private enum State: Hashable {
    case ground
    case escape
    /// In a sequence after `ESC [`, with its parameters so far.
    case sequence([UInt8])
    /// After `ESC O`, as some terminals send arrows.
    case single
  }

  private var state = State.ground

  /// Milliseconds to wait after an ESC for the rest of its key.
  static let escapeMilliseconds: Int64 = 50

  /// Whether a key has begun and not ended.
  var isWaiting: Bool { state != .ground }

  /// Returns the keys that end with these bytes.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> [WatchKey] {
    bytes.compactMap { take($0) }
  }

  /// Returns the key that a pause ends.
  mutating func end() -> WatchKey? {
    defer { state = .ground }
    return state == .escape ? .escape : nil
  }

  private mutating func take(_ byte: UInt8) -> WatchKey? {
    switch state {
    case .ground: return begin(byte)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .sequence([])
      case UInt8(ascii: "O"): state = .single
      default:
        // ESC was a key of its own, and this byte begins the next.
        state = .ground
        return begin(byte) ?? .escape
      }
      return nil
    case .single:
      state = .ground
      return Self.arrow(byte)
    case .sequence(var parameters):
      guard !(0x40...0x7E).contains(byte) else {
        state = .ground
        return byte == UInt8(ascii: "~") ? Self.numbered(parameters) : Self.arrow(byte)
      }
      parameters.append(byte)
      // No key has a longer sequence; what follows is text.
      state = parameters.count > 16 ? .ground : .sequence(parameters)
      return nil
    }
  }

  private mutating func begin(_ byte: UInt8) -> WatchKey? {
    switch byte {
    case 0x1B:
      state = .escape
      return nil
    case 0x0A, 0x0D: return .enter
    case 0x01...0x1A: return .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x20..<0x7F: return .character(Character(Unicode.Scalar(byte)))
    default: return nil
    }
  }

  private static func arrow(_ byte: UInt8) -> WatchKey? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }

  /// Returns the key of `ESC [ number ~`.
  private static func numbered(_ parameters: [UInt8]) -> WatchKey? {
    switch String(decoding: parameters, as: UTF8.self) {
    case "1", "7": .home
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }
}
