package import JSON

/// The variables that bars give to a script, beside the session's own.
///
/// Source: i3blocks(1) of 1.4 and 1.5, waybar-custom(5), polybar's wiki. PLUGINS.md has the table.
package struct BarVariables: Hashable, Sendable {
  /// The click for which a script runs.
  package struct Click: Hashable, Sendable {
    /// From 1 to 9, as X11 numbers them.
    package var button: Int
    /// Names such as `Shift`, as i3bar has them.
    package var modifiers: [String] = []
    /// Pixels from the left and the top of the screen; `nil`: the surface did not say.
    package var x: Int64?
    package var y: Int64?
    /// Pixels within the block.
    package var relativeX: Int64?
    package var relativeY: Int64?
    /// Pixels of the block.
    package var width: Int64?
    package var height: Int64?

    package init(_ button: Int) { self.button = button }

    /// Its place and the size of the block, by the names of 1.5.
    var places: [(name: String, number: Int64?)] {
      [
        ("x", x), ("y", y), ("relative_x", relativeX), ("relative_y", relativeY),
        ("width", width), ("height", height),
      ]
    }
  }

  /// The name of the block or module, which is that of the widget's kind.
  package var name: String
  /// The instance of the block in its bar; empty: it has none.
  package var instance = ""
  package var click: Click?
  /// The name of the output of the surface that shows it, such as `eDP-1`; `nil`: nobody said.
  package var output: String?
  /// The state that the last run of the block printed.
  package var state: JSONObject?
  /// Variables of polybar's `env-NAME`, and of other settings.
  package var settings: [PluginVariable] = []

  package init(name: String) { self.name = name }

  /// Returns the variables of a run, in the order in which later ones win.
  ///
  /// At most `PluginLimits.variableCountMax` of the state and of the settings are given. Names that
  /// change how programs are loaded or found are left out: see `PluginVariable.isName`.
  package func variables(_ format: PluginFormat) -> [PluginVariable] {
    var variables = settings.filter { PluginVariable.isName($0.name) }
    variables = Array(variables.prefix(PluginLimits.variableCountMax))
    switch format {
    case .i3blocks: variables += stateVariables + blockVariables
    case .waybar: if let output { variables.append(PluginVariable("WAYBAR_OUTPUT_NAME", output)) }
    case .polybar, .genmon, .text, .xbar, .swiftbar, .argos: break
    }
    return variables
  }

  /// Members of the block's own; those that i3blocks sets itself win over them.
  private var stateVariables: [PluginVariable] {
    let members = state?.members ?? []
    return members.filter { PluginVariable.isName($0.key) }.prefix(PluginLimits.variableCountMax)
      .compactMap { member in
        member.value.isNull ? nil : PluginVariable(member.key, BarObject.text(member.value))
      }
  }

  /// The names of 1.4, which are there without a click, too, and those of 1.5.
  private var blockVariables: [PluginVariable] {
    func text(_ number: Int64?) -> String { number.map { "\($0)" } ?? "" }
    let button = click.map { "\($0.button)" } ?? ""
    var variables = [
      PluginVariable("BLOCK_NAME", name), PluginVariable("BLOCK_INSTANCE", instance),
      PluginVariable("BLOCK_BUTTON", button), PluginVariable("BLOCK_X", text(click?.x)),
      PluginVariable("BLOCK_Y", text(click?.y)), PluginVariable("name", name),
      PluginVariable("instance", instance),
    ]
    guard let click else { return variables }
    variables.append(PluginVariable("button", button))
    for (name, number) in click.places where number != nil {
      variables.append(PluginVariable(name, text(number)))
    }
    if !click.modifiers.isEmpty {
      variables.append(PluginVariable("modifiers", click.modifiers.joined(separator: ",")))
    }
    return variables
  }

  /// Returns the line that a block with `persist` reads for a click: its button, or for a block of
  /// JSON the whole block, as 1.5 writes it.
  ///
  /// The whole block is its settings, the members that it printed last (`state`) and the click; a
  /// later one wins. Where that is longer than `PluginLimits.clickLineBytesMax`, it is the click.
  package func line(isObject: Bool) -> String? {
    guard let click else { return nil }
    guard isObject else { return "\(click.button)" }
    let members = state?.members.prefix(PluginLimits.clickMemberCountMax) ?? []
    if !settings.isEmpty || !members.isEmpty {
      var block = JSONObject()
      for setting in settings.prefix(PluginLimits.variableCountMax)
      where !setting.name.hasPrefix("BLOCK_") {
        block[setting.name] = Self.value(setting.value)
      }
      for member in members { block[member.key] = member.value }
      let line = line(click, over: block)
      if line.utf8.count <= PluginLimits.clickLineBytesMax { return line }
    }
    return line(click, over: JSONObject())
  }

  /// The value of a setting in the object of a block.
  ///
  /// Numbers and flags are written as such, as i3bar wants them (`separator_block_width`).
  private static func value(_ text: String) -> JSONValue {
    guard case .success(let value) = Result(catching: { try JSONValue(parsing: text) }) else {
      return .string(text)
    }
    switch value {
    case .bool, .int, .double: return value
    case .null, .string, .array, .object: return .string(text)
    }
  }

  private func line(_ click: Click, over block: JSONObject) -> String {
    var object = block
    object["name"] = .string(name)
    object["instance"] = .string(instance)
    object["button"] = .int(Int64(click.button))
    object["modifiers"] = .array(click.modifiers.map { .string($0) })
    for (name, number) in click.places { object[name] = number.map { .int($0) } }
    return JSONValue.object(object).serialized
  }
}
