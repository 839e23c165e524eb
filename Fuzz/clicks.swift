import JSON
import Plugins

/// Fuzzes the way from a script to a click and back: the actions of what it printed, the state of
/// a block of i3blocks, and the variables and the line of a click.
///
/// The first byte chooses the button. Sections of the rest are an output, the name of the block,
/// and its instance.
///
/// - An action that content has is read back as the same.
/// - A state is within its limit; printed again it is the same state.
/// - Variables have names that choose no code, values without NUL, and the bar's own win.
/// - The line of a click is one line; an object is JSON that says what was clicked.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  guard let choice = input.first else { return 0 }
  let parts = sections(Array(input.dropFirst()), countMax: 3)
  let name = parts.count > 1 ? line(parts[1]) : "a"
  let instance = parts.count > 2 ? line(parts[2]) : ""
  within(1_000, "a click") {
    for format in PluginFormat.allCases {
      let frame = PluginReader.read(parts[0], format).frame
      checkActions(frame)
      guard let state = frame.state else { continue }
      precondition(format == .i3blocks, "a state of \(format)")
      check(state, name: name, instance: instance)
    }
    check(click(choice), of: parts[0], name: name, instance: instance)
  }
  return 0
}

private func click(_ choice: UInt8) -> PluginClick {
  var click = PluginClick(button: Int(choice) % 9 + 1)
  click.modifiers = Set(PluginClick.Modifier.allCases.filter { _ in choice % 2 == 0 })
  for (number, measure) in PluginClick.Measure.allCases.enumerated()
  where Int(choice) >> (number % 8) & 1 == 1 {
    click.measures[measure] = number == 0 ? .min : Int64(number) * Int64(choice)
  }
  return click
}

/// The content is what surfaces send back of: it has to say the same again.
private func checkActions(_ frame: PluginFrame) {
  let content = JSONValue.object(frame.content)
  if let title = frame.titles.first {
    precondition(PluginAction(content["action"]) == title.action, "another action of the title")
  }
  for (button, action) in frame.clicks {
    precondition(PluginAction(content["clicks"]?["\(button)"]) == action, "another click")
  }
  func check(_ items: [PluginItem], _ values: [JSONValue]) {
    precondition(items.count == values.count)
    for (item, value) in zip(items, values) where !item.isSeparator {
      precondition(PluginAction(ofItem: value) == item.action, "another action of an item")
      check(item.items, value["items"]?.arrayValue ?? [])
      check(item.alternate, value["alternate"].map { [$0] } ?? [])
    }
  }
  check(frame.items, content["items"]?.arrayValue ?? [])
}

private func check(_ state: JSONObject, name: String, instance: String) {
  let written = JSONValue.object(state).serialized
  precondition(written.utf8.count <= PluginLimits.stateBytesMax, "a state that is too long")
  let again = PluginReader.read(Array(written.utf8), .i3blocks).frame.state
  precondition(again == state, "a state that is printed again is another")

  var block = BarVariables(name: name)
  block.instance = instance
  block.state = state
  let variables = block.variables(.i3blocks)
  precondition(variables.count <= PluginLimits.variableCountMax + 16)
  precondition(variables.allSatisfy { PluginVariable.isName($0.name) })
  precondition(variables.allSatisfy { !$0.value.utf8.contains(0) })
  precondition(last("BLOCK_NAME", variables) == withoutNUL(name), "the state renames its block")
  precondition(last("BLOCK_INSTANCE", variables) == withoutNUL(instance))
  precondition(last("BLOCK_BUTTON", variables) == "", "a state makes a click")
}

private func check(_ click: PluginClick, of output: [UInt8], name: String, instance: String) {
  let variables = click.variables(of: name, instance: instance)
  precondition(variables.allSatisfy { PluginVariable.isName($0.name) })
  precondition(variables.allSatisfy { !$0.value.utf8.contains(0) })
  precondition(last("BLOCK_BUTTON", variables) == "\(click.button)")
  let button = "\(click.button)"
  precondition(click.line(of: name, instance: instance) == button, "another button")
  let settings = [PluginVariable(name, instance), PluginVariable("format", "json")]
  guard let line = click.line(of: name, instance: instance, settings: settings, frame: output)
  else { preconditionFailure("a click without a line") }
  precondition(!line.utf8.contains { $0 == 10 || $0 == 0 }, "a click of two lines")
  let bareBytes = 1_024 + 6 * (name.utf8.count + instance.utf8.count)
  precondition(line.utf8.count <= max(PluginLimits.clickLineBytesMax, bareBytes))
  do throws(JSONError) {
    let object = try JSONValue(parsing: line)
    precondition(object["name"]?.stringValue?.utf8.elementsEqual(name.utf8) == true)
    precondition(object["instance"]?.stringValue?.utf8.elementsEqual(instance.utf8) == true)
    precondition(object["button"]?.intValue == Int64(click.button))
    precondition(object["x"]?.intValue == click.measures[.x])
  } catch {
    preconditionFailure("a click is no JSON: \(error.message)")
  }
}

private func last(_ name: String, _ variables: [PluginVariable]) -> String? {
  variables.last { $0.name == name }?.value
}

private func withoutNUL(_ text: String) -> String { PluginVariable("A", text).value }
