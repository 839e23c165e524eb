import JSON

/// Finds out that a script was written for Waybar or i3blocks, which read JSON, while it is read as
/// one of a family that reads lines. Such a script shows its braces, and no folder of plugins and
/// no tag says that it is one.
extension PluginReader {
  /// Returns the bar that reads such an output as an object; `nil`: it is read by that bar, or is
  /// nothing of the kind.
  ///
  /// The members decide: `full_text` is i3blocks', `text` or two of the others Waybar's. O(bytes).
  package static func otherBar(_ output: [UInt8], readAs format: PluginFormat) -> PluginFormat? {
    guard format != .waybar, format != .i3blocks else { return nil }
    // Its warnings are about an object that the family does not read.
    var unused = PluginReading()
    guard let object = BarObject.read(output, into: &unused)?.object else { return nil }
    if object["full_text"] != nil { return .i3blocks }
    let others = ["tooltip", "class", "alt", "percentage"].count { object[$0] != nil }
    return object["text"] != nil || others > 1 ? .waybar : nil
  }
}
