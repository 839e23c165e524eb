import JSON
import PlainText
import Plugins
import ProgramStart

/// Compares our menus with the trees of xbar's and SwiftBar's own parsers.
///
/// Neither is right by itself. Where they agree, ours has to be the same; elsewhere the difference
/// is listed.
struct TreeTally {
  private var sameCount = 0
  private var differences: [String] = []

  /// Returns how our tree differs from the one that both programs have; `nil` if it does not, or if
  /// there is no such tree.
  mutating func judge(
    _ output: PluginOutput, _ row: JSONValue, in directory: String
  ) throws -> String? {
    guard let xbarPath = row["oracle_xbar"]?.stringValue, !output.isStream,
      let swiftBarPath = row["oracle_swiftbar"]?.stringValue, let id = row["id"]?.stringValue
    else { return nil }
    let xbar: MenuShape
    switch try XbarTree.read(json("\(directory)/\(xbarPath)")) {
    case .success(let shape): xbar = shape
    case .failure(let refusal):
      differences.append("\(id): xbar refuses it: \(refusal.message)")
      return nil
    }
    let swiftBar = SwiftBarTree.read(try json("\(directory)/\(swiftBarPath)"))
    if let difference = xbar.difference(from: swiftBar) {
      let others = [
        own(output, .xbar, xbar, "xbar"), own(output, .swiftbar, swiftBar, "SwiftBar"),
      ]
      differences.append(
        "\(id): in xbar and SwiftBar \(difference); " + others.joined(separator: ", "))
      return nil
    }
    // SwiftBar reads escapes when it shows a text, which its tree does not have yet.
    let hasEscapes = output.bytes.contains(UInt8(ascii: "\\"))
    for format in output.formats where format == .xbar || format == .swiftbar && !hasEscapes {
      let reading = PluginReader.read(output.bytes, format)
      if let difference = MenuShape(reading.frame).difference(from: xbar) {
        let isCut = reading.warnings.contains {
          $0.message.contains("only the first") || $0.message.contains("is cut")
            || $0.message.contains("left out") || $0.message.contains("levels")
        }
        guard isCut else { return "for us as \(format), and for xbar and SwiftBar, \(difference)" }
        differences.append("\(id): beyond our limits: \(difference)")
        return nil
      }
    }
    sameCount += 1
    return nil
  }

  /// Returns how our tree differs from that of the family itself.
  private func own(
    _ output: PluginOutput, _ format: PluginFormat, _ shape: MenuShape, _ name: String
  ) -> String {
    let difference = MenuShape(PluginReader.read(output.bytes, format).frame).difference(
      from: shape)
    return difference.map { "for us and \(name) \($0)" } ?? "ours as \(format) is that of \(name)"
  }

  /// Prints the trees that were not compared, and the number of those that are the same.
  func report() {
    guard sameCount + differences.count > 0 else { return }
    for difference in differences { say(printable("not compared: \(difference)")) }
    say(
      "trees that xbar and SwiftBar agree on, and ours is the same: \(sameCount); not compared: \(differences.count)"
    )
  }
}

/// The form in which xbar's parser wrote its tree.
private enum XbarTree {
  struct Refusal: Error { var message: String }

  static func read(_ value: JSONValue) -> Result<MenuShape, Refusal> {
    if value["panic"] != nil { return .failure(Refusal(message: "it ends with a panic")) }
    if let error = value["error"]?.stringValue {
      return .failure(
        Refusal(message: error.split(separator: ":").dropFirst().joined(separator: ":")))
    }
    let titles = value["items"]?["cycleItems"]?.arrayValue ?? []
    let items = value["items"]?["expandedItems"]?.arrayValue ?? []
    return .success(
      MenuShape(
        titles: titles.map { ($0.node, $0["params"]?["dropdown"]?.boolValue ?? true) },
        items: items.map(\.node)))
  }
}

extension JSONValue {
  /// An item of xbar's tree.
  fileprivate var node: MenuNode {
    var node = MenuNode()
    let values = self["params"]
    func text(_ key: String) -> String? {
      guard let text = values?[key]?.stringValue, !text.isEmpty else { return nil }
      return text
    }
    node.isSeparator = values?["separator"]?.boolValue ?? false
    if !node.isSeparator {
      node.take(
        self["text"]?.stringValue ?? "", isTrimmed: values?["trim"]?.boolValue ?? true,
        length: Int(values?["length"]?.intValue ?? 0))
    }
    node.url = text("href")
    let arguments = values?["shell_params"]?.arrayValue ?? []
    if let program = text("shell") {
      node.command = MenuNode.words([program] + arguments.compactMap(\.stringValue))
    }
    node.refreshes = values?["refresh"]?.boolValue ?? false
    node.color = text("color").flatMap { ColorText.read($0)?.light }
    node.hasImage = (text("image") ?? text("template_image")) != nil
    if values?["disabled"]?.boolValue == true {
      (node.url, node.command, node.refreshes) = (nil, [], false)
    }
    node.items = (self["items"]?.arrayValue ?? []).map(\.node)
    if let alternate = self["alternate"], !alternate.isNull { node.alternate = [alternate.node] }
    return node
  }
}

/// The form in which SwiftBar's parser wrote its tree: values are texts, and alternates stand
/// behind their items.
private enum SwiftBarTree {
  static func read(_ value: JSONValue) -> MenuShape {
    let titles = value["header"]?.arrayValue ?? []
    var items = nodes(value["body"]?.arrayValue ?? [])
    // The line that ends the titles is the first item.
    if items.first?.isSeparator == true { items.removeFirst() }
    return MenuShape(
      titles: titles.map { (node($0), $0["params"]?["dropdown"]?.stringValue != "false") },
      items: items)
  }

  private static func nodes(_ items: [JSONValue]) -> [MenuNode] {
    var nodes: [MenuNode] = []
    for item in items {
      if flag(item["params"], "alternate") == true, let last = nodes.indices.last {
        nodes[last].alternate = [node(item)]
      } else {
        nodes.append(node(item))
      }
    }
    return nodes
  }

  private static func flag(_ values: JSONValue?, _ key: String) -> Bool? {
    (values?[key]?.stringValue).map { $0.lowercased() == "true" }
  }

  private static func node(_ item: JSONValue) -> MenuNode {
    var node = MenuNode()
    let values = item["params"]
    func text(_ key: String) -> String? {
      guard let text = values?[key]?.stringValue, !text.isEmpty else { return nil }
      return text
    }
    node.isSeparator = item["separator"]?.boolValue ?? false
    if !node.isSeparator {
      node.take(
        item["title"]?.stringValue ?? "", isTrimmed: flag(values, "trim") ?? true,
        length: text("length").flatMap { Int($0) } ?? 0)
    }
    node.url = text("href")
    if let program = text("bash") ?? text("shell") {
      let arguments = (0...99).compactMap { values?["param\($0)"]?.stringValue }
      node.command = MenuNode.words([program] + arguments)
    }
    node.refreshes = flag(values, "refresh") ?? false
    node.color = text("color").flatMap { ColorText.read($0)?.light }
    node.hasImage = (text("image") ?? text("templateimage")) != nil
    node.items = nodes(item["children"]?.arrayValue ?? [])
    return node
  }
}
