import BusMessages

/// A message as a list of steps: what is written can be read, and so can what is not well formed.
///
/// The fuzzer has it, too.
struct Tokens: BusSink, BusCursor {
  enum Token: Equatable {
    case value(BusValue)
    case open(BusItem)
    case close
  }

  var tokens: [Token] = []
  var place = 0

  mutating func open(_ item: BusItem) { tokens.append(.open(item)) }
  mutating func close() { tokens.append(.close) }
  mutating func append(_ value: BusValue) { tokens.append(.value(value)) }

  mutating func peek() -> BusItem? {
    guard place < tokens.count else { return nil }
    switch tokens[place] {
    case .value(let value): return BusItem(type: value.typeSignature.utf8.first ?? 0)
    case .open(let item): return item
    case .close: return nil
    }
  }

  mutating func enter(_ item: BusItem) { place += 1 }
  mutating func exit() { place += 1 }

  mutating func read(_ item: BusItem) throws(BusReadError) -> BusValue {
    guard case .value(let value) = tokens[place] else { throw .malformed }
    place += 1
    return value
  }
}
