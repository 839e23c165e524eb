import Glibc
import Testing

/// A pointer for a compositor without a mouse: a Wayland client that says where it is and which
/// buttons it presses.
///
/// A message of Wayland is the number of an object, a word of length and opcode, and arguments in
/// words of the machine's order; a string has its length with its zero, and is filled up to a word.
/// Sources: wayland.xml (`wl_display`, `wl_registry`), wlr-virtual-pointer-unstable-v1.xml.
final class WaylandPointer {
  private let socket: Int32
  private var received: [UInt8] = []
  private var names: [String: UInt32] = [:]

  /// The objects that this client makes, by their numbers; 1 is the display.
  private enum Number {
    static let display: UInt32 = 1
    static let registry: UInt32 = 2
    static let firstRound: UInt32 = 3
    static let seat: UInt32 = 4
    static let manager: UInt32 = 5
    static let pointer: UInt32 = 6
    /// The last before those that tell that all before them was done; numbers have no gaps.
    static let rounds: UInt32 = 6
  }
  private var lastRound = Number.rounds

  /// Connects to the compositor with this socket.
  init(_ path: String) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    try #require(status == 0, "\(path): \(String(cString: strerror(errno)))")
    try send(Number.display, 1, [Number.registry])
    try send(Number.display, 0, [Number.firstRound])
    try wait(for: Number.firstRound)
    try bind("wl_seat", Number.seat)
    try bind("zwlr_virtual_pointer_manager_v1", Number.manager)
    try send(Number.manager, 0, [Number.seat, Number.pointer])
    try round()
  }

  deinit { close(socket) }

  /// Goes to a place of the layout, whose size in pixels is given.
  func move(toX x: Int, y: Int, width: Int, height: Int) throws {
    // A surface notes the pointer when it enters, and where it is when it moves.
    for step in [1, 0] {
      try send(
        Number.pointer, 1,
        [now, UInt32(x + step), UInt32(y), UInt32(width), UInt32(height)])
      try frame()
    }
  }

  /// Presses a button and lets it go: 1 left, 2 middle, 3 right; 4 and 5 turn the wheel by a notch.
  func click(_ button: Int) throws {
    switch button {
    case 4, 5:
      let direction = Int32(button == 4 ? -1 : 1)
      // A notch is 15 degrees; of 1/256 of a unit each.
      let length = UInt32(bitPattern: direction * 15 * 256)
      try send(Number.pointer, 5, [0])
      try send(Number.pointer, 7, [now, 0, length, UInt32(bitPattern: direction)])
      try frame()
    default:
      // BTN_LEFT, BTN_RIGHT and BTN_MIDDLE of linux/input-event-codes.h.
      let code: UInt32 = [1: 0x110, 2: 0x112, 3: 0x111][button] ?? 0x110
      for isPressed: UInt32 in [1, 0] {
        try send(Number.pointer, 2, [now, code, isPressed])
        try frame()
      }
    }
  }

  // MARK: Messages

  private func frame() throws {
    try send(Number.pointer, 4, [])
    try round()
  }

  /// Waits until the compositor did everything that it was sent.
  private func round() throws {
    lastRound += 1
    try send(Number.display, 0, [lastRound])
    try wait(for: lastRound)
  }

  private func bind(_ interface: String, _ number: UInt32) throws {
    let name = try #require(names[interface], "the compositor has no \(interface)")
    var text = Array(interface.utf8) + [0]
    let length = UInt32(text.count)
    while !text.count.isMultiple(of: 4) { text.append(0) }
    try sendBytes(Number.registry, 0, Self.words([name, length]) + text + Self.words([1, number]))
  }

  private func send(_ object: UInt32, _ opcode: UInt32, _ arguments: [UInt32]) throws {
    try sendBytes(object, opcode, Self.words(arguments))
  }

  private func sendBytes(_ object: UInt32, _ opcode: UInt32, _ body: [UInt8]) throws {
    let message = Self.words([object, UInt32(8 + body.count) << 16 | opcode]) + body
    let count = message.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
    try #require(count == message.count)
  }

  /// Reads until the compositor calls back.
  private func wait(for callback: UInt32) throws {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      while let (object, opcode, body) = nextMessage() {
        if object == callback { return }
        if object == Number.registry, opcode == 0 {
          let name = Self.word(body, 0)
          let length = Int(Self.word(body, 4))
          names[String(decoding: body[8..<(8 + length - 1)], as: UTF8.self)] = name
        }
        try #require(object != Number.display || opcode != 0, "the compositor reports an error")
      }
      let count = buffer.withUnsafeMutableBytes { read(socket, $0.baseAddress, $0.count) }
      try #require(count > 0, "the compositor is gone")
      received += buffer[..<count]
    }
  }

  private func nextMessage() -> (object: UInt32, opcode: UInt32, body: [UInt8])? {
    guard received.count >= 8 else { return nil }
    let (object, head) = (Self.word(received, 0), Self.word(received, 4))
    let length = Int(head >> 16)
    guard received.count >= length else { return nil }
    defer { received.removeFirst(length) }
    return (object, head & 0xffff, Array(received[8..<length]))
  }

  private static func words(_ values: [UInt32]) -> [UInt8] {
    values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<(place + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Milliseconds, as events have them.
  private var now: UInt32 { UInt32(truncatingIfNeeded: Int(monotonicSeconds() * 1_000)) }
}
