import DesktopEntries
import Testing

private let type = "x-scheme-handler/foo"

private func list(_ text: String) -> MimeAssociations {
  switch MimeAssociations.parse(Array(text.utf8), path: "/l", types: [type]) {
  case .success(let associations): associations
  case .failure: .none
  }
}

private func defaults(_ ids: String) -> MimeAssociations {
  list("[Default Applications]\n\(type)=\(ids)\n")
}

@Suite struct HandlerResolutionTests {
  @Test func `a list is read group by group`() {
    let read = list(
      """
      [Default Applications]
      \(type)=x.desktop
      text/plain=t.desktop
      [Added Associations]
      \(type)=b.desktop;;c\\;d.desktop;
      [Removed Associations]
      \(type)=e.desktop
      [Default Applications]
      \(type)=a.desktop;
      """)
    #expect(read.defaults(for: type) == ["a.desktop"])
    #expect(read.added(for: type) == ["b.desktop", "c;d.desktop"])
    #expect(read.removed(for: type) == ["e.desktop"])
    #expect(read.defaults(for: "text/plain") == [])
  }

  @Test func `a list with a malformed line is ignored`() {
    #expect(list("not a key file\n[Default Applications]\n\(type)=a.desktop\n") == .none)
  }

  @Test func `defaults come level by level, the desktop's own first`() {
    let levels = [
      HandlerResolution.Level(
        desktopLists: [defaults("a;b"), defaults("c")], list: defaults("b;d")),
      HandlerResolution.Level(desktopLists: [defaults("e")], list: defaults("a")),
    ]
    #expect(HandlerResolution.defaults(for: type, levels: levels) == ["a", "b", "c", "d", "e"])
  }

  @Test func `a list adds and removes from its own level on`() {
    let lists = list(
      "[Added Associations]\n\(type)=late;above\n[Removed Associations]\n\(type)=gone;early\n")
    let levels = [
      HandlerResolution.Level(desktopLists: [], list: .none, claims: ["early"]),
      HandlerResolution.Level(desktopLists: [lists], list: lists, claims: ["gone", "own"]),
      HandlerResolution.Level(desktopLists: [], list: .none, claims: ["last"]),
    ]
    let owners = ["above": 0, "early": 0, "gone": 1, "own": 1, "late": 2, "last": 2]
    #expect(
      HandlerResolution.associated(with: type, levels: levels) { owners[$0] }
        == ["early", "late", "own", "last"])
  }

  @Test func `additions and removals in a desktop's own list are ignored`() {
    let lists = list(
      "[Added Associations]\n\(type)=a\n[Removed Associations]\n\(type)=b\n")
    let levels = [HandlerResolution.Level(desktopLists: [lists], list: .none, claims: ["b"])]
    #expect(HandlerResolution.associated(with: type, levels: levels) { _ in 0 } == ["b"])
  }
}
