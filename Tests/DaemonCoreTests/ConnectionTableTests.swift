import Testing

@testable import DaemonCore

struct ConnectionTableTests {
  @Test func `it answers as a dictionary does, with its keys in ascending order`() {
    var table = ConnectionTable<Int>()
    var model: [ConnectionID: Int] = [:]
    // Every order of adding, changing and removing: the steps of 7 and 5 reach all 31 numbers.
    for step in 0..<400 {
      let key = ConnectionID(UInt64(step * 7 % 31))
      switch step % 5 {
      case 0, 1:
        table[key] = step
        model[key] = step
      case 2:
        let isSame = table.removeValue(forKey: key) == model.removeValue(forKey: key)
        #expect(isSame, "step \(step)")
      case 3:
        if let index = table.index(forKey: key) { table.values[index] += 1 }
        model[key]? += 1
      default:
        table[key] = nil
        model[key] = nil
      }
      #expect(table.keys == model.keys.sorted(), "step \(step)")
      #expect(table.count == model.count)
      for number in 0...31 {
        let key = ConnectionID(UInt64(number))
        #expect(table[key] == model[key], "step \(step)")
        #expect((table.index(forKey: key) == nil) == (model[key] == nil), "step \(step)")
      }
    }
  }

  @Test func `a table without connections finds none`() {
    var table = ConnectionTable<String>()
    #expect(table.index(forKey: ConnectionID(1)) == nil)
    #expect(table[ConnectionID(1)] == nil)
    #expect(table.removeValue(forKey: ConnectionID(1)) == nil)
    table[ConnectionID(1)] = nil
    #expect(table.keys.isEmpty)
  }
}
