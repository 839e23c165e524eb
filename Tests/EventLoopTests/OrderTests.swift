import CPosix
import Testing

/// Reads the supervisor's orders: every damaged one is refused, and none is read beyond its end.
@Suite struct OrderTests {
  /// Returns the bytes of an order that starts `argv` with `environment` and a box of 5 bytes.
  private func order(_ change: (inout cposix_order) -> Void = { _ in }) -> [UInt8] {
    let strings = ["/bin/sh", "/", "/cache", "sh", "-c", "A=b"]
    var body: [UInt8] = [1, 2, 3, 4, 5, 0, 0, 0]
    for text in strings { body += Array(text.utf8) + [0] }
    var head = cposix_order()
    head.type = CPOSIX_ORDER_START.rawValue
    head.run = 7
    head.box_length = 5
    head.strings_length = UInt64(body.count - 8)
    head.argument_count = 2
    head.environment_count = 1
    head.descriptors = 6
    change(&head)
    return withUnsafeBytes(of: head) { Array($0) } + body
  }

  private func read(_ bytes: [UInt8]) -> [String]? {
    let storage = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 8)
    defer { storage.deallocate() }
    storage.copyMemory(from: bytes, byteCount: bytes.count)
    let result = UnsafeMutablePointer<cposix_read_order>.allocate(capacity: 1)
    defer { result.deallocate() }
    let text = storage.bindMemory(to: CChar.self, capacity: bytes.count)
    guard cposix_order_read(text, bytes.count, result) else { return nil }
    guard let program = result.pointee.program else { return [] }
    var strings = [String(cString: program)]
    for list in [result.pointee.arguments, result.pointee.environment] {
      var at = list
      while let item = at?.pointee {
        strings.append(String(cString: item))
        at = at?.advanced(by: 1)
      }
    }
    return strings
  }

  @Test func `a whole order is read`() {
    #expect(read(order()) == ["/bin/sh", "sh", "-c", "A=b"])
  }

  @Test func `a part of an order is refused, wherever it is cut`() {
    let whole = order()
    for length in 0..<whole.count { #expect(read(Array(whole[..<length])) == nil, "\(length)") }
    #expect(read(whole + [0]) == nil)
  }

  @Test func `counts and lengths that do not fit are refused`() {
    let changes: [(inout cposix_order) -> Void] = [
      { $0.type = 0 }, { $0.type = 6 }, { $0.type = CPOSIX_ORDER_SIGNAL.rawValue },
      { $0.box_length = .max }, { $0.box_length = 1 << 20 }, { $0.strings_length += 1 },
      { $0.strings_length = .max }, { $0.argument_count = 0 }, { $0.argument_count = 1 },
      { $0.argument_count = .max }, { $0.environment_count = .max },
      { $0.environment_count = 2 }, { $0.descriptors = 8 },
    ]
    for (index, change) in changes.enumerated() { #expect(read(order(change)) == nil, "\(index)") }
  }
}
