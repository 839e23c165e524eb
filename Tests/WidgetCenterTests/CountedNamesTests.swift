import Testing

@testable import WidgetCenter

/// Names have numbers for as long as somebody uses them.
struct CountedNamesTests {
  @Test func `a name has one number until its last use ends`() {
    var names = CountedNames()
    let a = names.use("a")
    #expect(a.isFirst)
    #expect(names.use("a") == (a.number, false))
    let b = names.use("b").number
    #expect(b != a.number)
    #expect(names.count == 2)
    names.release(a.number)
    #expect(names.number(of: "a") == a.number)
    names.release(a.number)
    #expect(names.number(of: "a") == nil)
    #expect(names.names[Int(b)] == "b")
    #expect(names.count == 1)
  }

  @Test func `a number is given again, as a first use`() {
    var names = CountedNames()
    let a = names.use("a").number
    names.release(a)
    #expect(names.use("b") == (a, true))
    #expect(names.names == ["b"])
    #expect(names.use("a") == (1, true))
  }
}
