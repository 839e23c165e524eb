/// A click on the text of a plugin in a bar, as i3bar describes it.
///
/// Source: the i3bar protocol ("Click events"), i3blocks 1.4 and 1.5.
package struct PluginClick: Hashable, Sendable {
  /// A modifier key that was held.
  package enum Modifier: String, CaseIterable, Hashable, Sendable {
    case shift, control, alt, `super`

    /// Its name in i3bar's messages.
    var nameInI3bar: String {
      switch self {
      case .shift: "Shift"
      case .control: "Control"
      case .alt: "Mod1"
      case .super: "Mod4"
      }
    }
  }

  /// A coordinate or a length, in pixels of the screen.
  package enum Measure: String, CaseIterable, Hashable, Sendable {
    /// Of the pointer, on all outputs together.
    case x, y
    /// Of the pointer, within the block.
    case relativeX, relativeY
    /// Of the pointer, on its output.
    case outputX, outputY
    /// Of the block.
    case width, height
  }

  /// From 1 to 9, as X11 numbers them: left, middle, right, four of the wheel, back, forward.
  package var button: Int
  package var modifiers: Set<Modifier> = []
  package var measures: [Measure: Int64] = [:]

  package init(button: Int) { self.button = button }

  /// The line that a block of this name reads for the click, if it stays running: the button, or for
  /// a block of JSON the whole block with the click.
  ///
  /// `settings` are the block's own, as variables; their `format` says which of the two it is. Where
  /// there is none, `frame` does, the last that the block printed. O(bytes).
  package func line(
    of name: String, instance: String = "", settings: [PluginVariable] = [], frame: [UInt8]? = nil
  ) -> String? {
    var block = block(name, instance)
    block.settings = settings
    var reading = PluginReading()
    block.state = frame.flatMap { BarObject.read($0, into: &reading)?.object }
    let format = settings.last { $0.name == "format" }?.value
    return block.line(isObject: format.map { $0 == "json" } ?? (block.state != nil))
  }

  /// The variables of the run that i3blocks starts for the click on a block of this name, and of
  /// this instance where it has one.
  package func variables(of name: String, instance: String = "") -> [PluginVariable] {
    var variables = block(name, instance).variables(.i3blocks)
    for (name, measure) in [("output_x", Measure.outputX), ("output_y", .outputY)] {
      guard let pixels = measures[measure] else { continue }
      variables.append(PluginVariable(name, "\(pixels)"))
    }
    return variables
  }

  private func block(_ name: String, _ instance: String) -> BarVariables {
    var block = BarVariables(name: name)
    block.instance = instance
    var click = BarVariables.Click(button)
    click.modifiers = Modifier.allCases.filter(modifiers.contains).map(\.nameInI3bar)
    click.x = measures[.x]
    click.y = measures[.y]
    click.relativeX = measures[.relativeX]
    click.relativeY = measures[.relativeY]
    click.width = measures[.width]
    click.height = measures[.height]
    block.click = click
    return block
  }
}
