import Testing

@testable import WidgetPackages

private func scan(_ text: String) -> SourceScan { SourceScan(text, offered: OfferedModules.all) }

struct SourceScanTests {
  @Test(arguments: [
    ("import WidgetKit", ["WidgetKit"]), ("@preconcurrency import Intents", ["Intents"]),
    ("public import struct Foundation.Date", ["Foundation"]), ("  import\tSwiftUI;", ["SwiftUI"]),
    ("import A\nimport B\nimport A", ["A", "B"]), ("@testable import App // host", ["App"]),
    ("// import A", []), ("/* import A\n/* */ import B */import C", ["C"]),
    ("let a = \"import A\"", []), ("let a = \"\"\"\nimport A\n\"\"\"\nimport B", ["B"]),
    ("let a = \"\\\"\"; import A", []), ("importA", []),
  ])
  func `imports are found, and not in comments and texts`(text: String, imports: [String]) {
    #expect(scan(text).imports == imports)
  }

  @Test(arguments: [
    ("#if os(iOS)\nimport A\n#else\nimport B\n#endif", ["B"]),
    ("#if canImport(UIKit)\nimport UIKit\n#elseif canImport(WidgetKit)\nimport C\n#endif", ["C"]),
    ("#if canImport(SwiftUI) && !os(macOS)\nimport A\n#endif", ["A"]),
    ("#if os(iOS) || os(Linux)\nimport A\n#endif", ["A"]),
    ("#if DEBUG\nimport A\n#endif\nimport B", ["A", "B"]),
    ("#if os(iOS)\n#if DEBUG\nimport A\n#endif\nimport B\n#endif\nimport C", ["C"]),
    ("#if targetEnvironment(simulator)\nimport A\n#endif", []),
    ("#endif\nimport A", ["A"]),
  ])
  func `lines for other systems are left out`(text: String, imports: [String]) {
    #expect(scan(text).imports == imports)
  }

  @Test func `names are words of the code`() {
    let scan = scan("@main struct A { let b = UIDevice.current; @objc func c() {} }")
    #expect(scan.hasMain)
    #expect(scan.words.isSuperset(of: ["UIDevice", "@objc", "c"]))
    #expect(!SourceScan("// @main", offered: []).hasMain)
  }

  @Test func `lines that are left out are counted`() {
    #expect(scan("#if os(iOS)\na\n\nb\n#endif\nc").skippedLines == 2)
  }
}
