import BarLines

/// `intent-send bar waybar weather`: a bar without options, as it stands in configurations.
///
/// It runs without swift-argument-parser, as `PlainCommand` does, here for the memory: to read the
/// declarations of all commands takes heap and code that an adapter keeps for days, some 90 of its
/// 1,400 KiB. Every other argument goes to the parser, and ends in the same session.
struct PlainBar: Hashable {
  let bar: BarFormat
  let widgets: [String]

  /// `nil` if the arguments, subcommand first, are for the parser.
  init?(_ arguments: [String]) {
    let words = arguments.dropFirst()
    guard arguments.first == "bar", let bar = words.first.flatMap({ BarFormat(rawValue: $0) }),
      !words.contains(where: { $0.hasPrefix("-") }),
      words.count - 1 <= BarLimits.widgetCountMax
    else { return nil }
    self.bar = bar
    widgets = Array(words.dropFirst())
  }

  func run() throws {
    let name = try Bar.name(widgets.first ?? "stack")
    var session = BarSession(
      BarLine(bar, name: name), BarWishes(),
      widgets.isEmpty ? BarWidgets(stack: 1) : BarWidgets(ids: widgets),
      to: bar == .tmux ? .tmux(name) : .standardOutput, socketPath: CommonOptions.usualSocketPath,
      clickOptions: [])
    try session.run(isOnce: false)
  }
}
