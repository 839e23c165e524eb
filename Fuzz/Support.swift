import Glibc
import JSON

/// Returns libFuzzer's input as an array.
func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  Array(UnsafeBufferPointer(start: start, count: count))
}

/// Splits an input at lines of `===` into at most `countMax` sections, so that seeds are readable.
func sections(_ input: [UInt8], countMax: Int) -> [[UInt8]] {
  let divider = Array("\n===\n".utf8)
  var parts: [[UInt8]] = []
  var rest = input[...]
  while parts.count + 1 < countMax, rest.count >= divider.count,
    let index = rest.indices.dropLast(divider.count - 1).first(where: {
      rest[$0..<($0 + divider.count)].elementsEqual(divider)
    })
  {
    parts.append(Array(rest[..<index]))
    rest = rest[(index + divider.count)...]
  }
  return parts + [Array(rest)]
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Returns the bytes as text, without the final line break that editors write into seeds.
func line(_ bytes: [UInt8]) -> String { text(bytes.last == 10 ? bytes.dropLast() : bytes) }

/// Runs `body` and traps if it takes more than `limit` milliseconds of this thread's processor
/// time.
///
/// Load on the machine does not count. Limits are a hundred times the expected time.
func within<Result>(_ limit: Int, _ what: StaticString, _ body: () -> Result) -> Result {
  let start = threadMilliseconds()
  let result = body()
  let spent = threadMilliseconds() - start
  precondition(spent <= limit, "\(what) took \(spent) ms")
  return result
}

private func threadMilliseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
}

/// Wraps a value that has no line numbers as a document.
func unlocated(_ value: JSONValue) -> LocatedValue {
  switch value {
  case .null: LocatedValue(.null, line: 1)
  case .bool(let flag): LocatedValue(.bool(flag), line: 1)
  case .int(let number): LocatedValue(.int(number), line: 1)
  case .double(let number): LocatedValue(.double(number), line: 1)
  case .string(let text): LocatedValue(.string(text), line: 1)
  case .array(let elements): LocatedValue(.array(elements.map(unlocated)), line: 1)
  case .object(let object):
    LocatedValue(
      .object(object.members.map { .init(key: $0.key, line: 1, value: unlocated($0.value)) }),
      line: 1)
  }
}
