import Habits
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests kinds without a provider, whose widgets show what producers push to them.
@Suite struct PushedKindTests {
  private static func board(_ name: String = "board") -> WidgetKind {
    WidgetKind(
      kind: name, name: name, families: [.systemSmall, .accessoryInline],
      provider: ProviderDeclaration(exec: []))
  }

  private static func entry(_ text: String, policy: String = "never") -> String {
    #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"\#(text)"}}],"policy":"\#(policy)"}"#
  }

  private static let reason =
    "the kind board has no provider, so there is nobody to ask: it shows what is pushed to it, such"
    + " as by intent-send push"

  private func driver() throws -> EngineDriver {
    var driver = EngineDriver(kinds: [Self.board()])
    _ = try driver.place("board", id: "a")
    _ = try driver.place("board", id: "b")
    return driver
  }

  @Test func `a push to one widget does not change the others`() throws {
    var driver = try driver()
    #expect(try driver.push("a", Self.entry("one")) == ["r3 done", "changed a"])
    #expect(try driver.push("b", Self.entry("two")) == ["r4 done", "changed b"])
    #expect(try driver.push("a", Self.entry("three")) == ["r5 done", "changed a"])
    #expect(driver.text("a") == "three")
    #expect(driver.text("b") == "two")
  }

  @Test func `placing one is done at once, and nothing runs`() throws {
    var driver = EngineDriver(kinds: [Self.board()])
    #expect(try driver.place("board", id: "a") == ["r1 done", "changed a"])
    #expect(driver.pass(86_400) == [])
  }

  @Test func `a reload is told that there is nobody to ask`() throws {
    var driver = try driver()
    #expect(try driver.reload("a", .reload) == ["r3 dropped: \(Self.reason)"])
    #expect(driver.setSurroundings(.init(locale: "de_DE")) == [])
    #expect(driver.setNetwork(isUp: false) + driver.setNetwork(isUp: true) == [])
  }

  @Test func `the policy of what was pushed asks for nothing`() throws {
    var driver = try driver()
    _ = try driver.push("a", Self.entry("one", policy: "atEnd"))
    #expect(driver.due("a") == nil)
    #expect(driver.pass(86_400) == [])
    let budget = try driver.engine.budgetView(of: "a", at: driver.now.wall)
    #expect(
      budget["nextReason"] == "its kind has no provider: it shows what is pushed to it")
    #expect(budget["nextReload"] == nil)
    #expect(budget["sharedBy"] == ["a"])
  }

  @Test func `another family shows the same`() throws {
    var driver = try driver()
    _ = try driver.push("a", Self.entry("one"))
    #expect(try driver.configure("a", family: .accessoryInline) == ["r4 done", "changed a"])
    #expect(driver.text("a") == "one")
  }

  @Test func `each has its own content after a restart`() throws {
    var driver = try driver()
    _ = try driver.push("a", Self.entry("one"))
    _ = try driver.push("b", Self.entry("two"))
    var fresh = try driver.restarted(kinds: [Self.board()], after: 3_600)
    #expect(fresh.resume() == ["changed a", "changed b"])
    #expect(fresh.text("a") == "one")
    #expect(fresh.text("b") == "two")
  }

  @Test func `widgets part when their kind loses its provider, and keep what they showed`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("board")])
    _ = try driver.place("board", id: "a")
    _ = driver.answer(1, Self.entry("both"))
    _ = try driver.place("board", id: "b")
    _ = driver.answer(2, Self.entry("both"))
    #expect(driver.engine.timelines.count == 1)
    _ = driver.setKinds([Self.board()])
    _ = driver.followKinds()
    #expect(driver.engine.timelines.count == 2)
    _ = try driver.push("a", Self.entry("one"))
    #expect(driver.text("a") == "one")
    #expect(driver.text("b") == "both")
  }

  @Test func `widgets meet when their kind gets a provider, which is asked once`() throws {
    var driver = try driver()
    _ = try driver.push("a", Self.entry("one"))
    let lines = driver.transcript { engine, now, output in
      engine.setKinds([EngineDriver.kind("board")], at: now, into: &output)
      engine.followKinds(at: now, into: &output)
    }
    #expect(lines.count { $0.hasPrefix("run") } == 1)
    #expect(driver.engine.timelines.count == 1)
  }

  @Test func `one that was removed before its kind lost the provider comes back alone`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("board")])
    for id in ["a", "b"] { _ = try driver.place("board", id: id) }
    _ = driver.answer(1, Self.entry("both"))
    _ = try driver.transcript { engine, now, output in
      try engine.removeForPerson(["a", "b"], at: now, into: &output)
    }
    _ = driver.setKinds([Self.board()])
    _ = try driver.transcript { engine, now, output in
      _ = try engine.undo(at: now, into: &output)
    }
    #expect(driver.engine.order == ["a", "b"])
    _ = try driver.push("a", Self.entry("one"))
    #expect(driver.text("b") != "one")
  }

  @Test func `each has a place of its own in the stack, by its own use`() throws {
    var driver = try driver()
    for id in ["a", "b"] { _ = try driver.push(id, Self.entry(id)) }
    #expect(driver.stack() == ["a", "b"])
    for _ in 0..<20 {
      driver.act(.tap, "b")
      _ = driver.pass(86_400)
    }
    #expect(driver.stack() == ["b", "a"])
    let places = driver.engine.ranking(families: nil, at: driver.now.wall)
    #expect(places[0].score > places[1].score)
  }

  @Test func `what was used of one widget is suggested to nobody`() throws {
    var driver = try driver()
    _ = try driver.push("a", Self.entry("one"))
    for _ in 0..<30 {
      driver.act(.tap, "a")
      _ = driver.pass(86_400)
    }
    for id in ["a", "b"] { _ = try driver.remove(id) }
    _ = driver.setKinds([EngineDriver.kind("board"), EngineDriver.kind("other")])
    _ = try driver.place("other")
    _ = driver.transcript { engine, now, output in
      engine.proposeSuggestion(at: now, into: &output)
    }
    #expect(!driver.engine.widgets.values.contains { $0.isSuggestion })
  }

  @Test func `its budget says that content is pushed, and so does its history`() throws {
    var driver = try driver()
    _ = try driver.push("a", Self.entry("one"))
    #expect(driver.notes.last?.fields["pushed"] == true)
    let budget = try driver.engine.budgetView(of: "a", at: driver.now.wall)
    #expect(budget["isPushed"] == true)
    #expect(budget["spent"] == [:])
    #expect(budget["balance"] == budget["capacity"].map { .double($0.doubleValue ?? 0) })
    _ = driver.setKinds([EngineDriver.kind("board")])
    let asked = try driver.engine.budgetView(of: "a", at: driver.now.wall)
    #expect(asked["isPushed"] == nil)
  }

  @Test func `the word for the whole stack is no widget's id`() throws {
    var driver = EngineDriver(kinds: [Self.board("org.example.stack")])
    let error = #expect(throws: WidgetError.self) {
      try driver.place("org.example.stack", id: "stack")
    }
    #expect(error?.code == .invalidID)
    #expect(error?.message.contains("names the whole stack") == true)
    _ = try driver.place("org.example.stack")
    _ = try driver.place("org.example.stack")
    #expect(driver.engine.order == ["stack-2", "stack-3"])
  }
}
