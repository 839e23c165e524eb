import JSON
import PlainText
import Plugins
import Timekeeping

/// Fuzzes the readers of menus: an output of a script, the name of its file, its
/// tags, a schedule, a file of values, with a line `===` between them.
///
/// An output gives a frame within the limits whose texts are clean, in any family; a name gives an
/// interval within its limits; a schedule gives moments that grow; and no text of others sets a
/// variable that chooses code.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 5)
  for format in [PluginFormat.xbar, .swiftbar, .argos] {
    checkMenu(parts[0], format)
    if parts.count > 1 { checkName(line(parts[1]), format) }
    if parts.count > 2 { checkScript(line(parts[1]), parts[2], format) }
    if parts.count > 2 { checkTags(text(parts[2]), parts.count > 4 ? parts[4] : [], format) }
  }
  if parts.count > 3 { checkSchedule(line(parts[3])) }
  return 0
}

private func checkMenu(_ output: [UInt8], _ format: PluginFormat) {
  let reading = within(2_000, "reading") { PluginReader.read(output, format) }
  precondition(reading.warnings.count <= PluginLimits.warningCountMax)
  let frame = reading.frame
  precondition(frame.titles.count <= PluginLimits.titleCountMax)
  var itemCount = 0
  func check(_ items: [PluginItem], depth: Int) {
    precondition(items.isEmpty || depth <= PluginLimits.menuDepthMax, "too deep")
    for item in items {
      itemCount += 1
      precondition(item.alternate.count <= 1)
      precondition((item.image?.count ?? 0) <= PluginLimits.imageBytesMax)
      precondition(printable(item.text.plain) == item.text.plain, "a text that is not clean")
      precondition(item.action.exec.count <= PluginLimits.argumentCountMax)
      precondition(!item.action.isInTerminal || !item.action.exec.isEmpty)
      precondition(!item.isDisabled || item.action.isEmpty, "a disabled item acts")
      check(item.items, depth: depth + 1)
      // The alternate of an item stands on its level.
      check(item.alternate, depth: depth)
    }
  }
  check(frame.titles, depth: 1)
  itemCount = 0
  check(frame.items, depth: 1)
  precondition(itemCount <= PluginLimits.itemCountMax)
  _ = JSONValue.object(frame.content).serialized
}

private func checkName(_ name: String, _ format: PluginFormat) {
  guard case .success(let file) = PluginFileName.read(name, format) else { return }
  precondition(!file.name.isEmpty && file.name.utf8.count <= PluginLimits.kindNameCountMax)
  precondition(
    file.name.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    })
  if case .every(let interval) = file.schedule {
    precondition(interval >= PluginLimits.intervalMillisecondsMin)
    precondition(interval <= PluginLimits.intervalMillisecondsMax)
  }
}

private func checkTags(_ text: String, _ values: [UInt8], _ format: PluginFormat) {
  let tags = within(2_000, "tags") { PluginTags(text) }
  precondition(tags.variables.count <= PluginLimits.variableCountMax)
  precondition(tags.dependencies.count <= PluginLimits.dependencyCountMax)
  precondition(printable(tags.title ?? "") == tags.title ?? "")
  var variables = PluginVariables(file: "/p/a", folder: "/p", cacheFolder: "/c", dataFolder: "/d")
  variables.tags = tags
  variables.values = PluginVariables.values(of: [(name: "a.vars.json", bytes: values)]).values
  let all = variables.all(format)
  precondition(Set(all.map(\.name)).count == all.count, "a variable twice")
  for variable in all {
    precondition(PluginVariable.isName(variable.name))
    precondition(!variable.value.utf8.contains(0), "a NUL that the kernel would cut at")
  }
}

/// A whole file: its lines with tags are found, and it becomes a manifest as a download does.
private func checkScript(_ name: String, _ bytes: [UInt8], _ format: PluginFormat) {
  let lines = within(2_000, "finding tags") { PluginTagLines(in: bytes) }
  precondition(lines.numbers.count == lines.text.utf8.count { $0 == 10 })
  precondition(zip(lines.numbers, lines.numbers.dropFirst()).allSatisfy { $0 < $1 })
  let all = PluginTags(text(bytes))
  let found = PluginTags(lines)
  // A tag that does not fit any more is left out, and there are few here.
  precondition(found.title == all.title && found.variables == all.variables, "another tag")
  let read = within(2_000, "installing") { InstalledPlugin.read(name, bytes, format: format) }
  guard case .success(let plugin) = read else { return }
  precondition(
    plugin.manifest.unicodeScalars.allSatisfy {
      $0 == "\n" || $0.properties.generalCategory != .control
    })
  precondition(plugin.manifest.hasPrefix("# made of a script for "))
}

private func checkSchedule(_ text: String) {
  guard let lines = CronLine.lines(text) else { return }
  precondition((1...PluginLimits.cronLineCountMax).contains(lines.count))
  var moment = WallTime(seconds: 1_795_000_000)
  for _ in 0..<3 {
    // Clocks that go forward and back every month.
    let next = within(2_000, "the next moment") {
      CronLine.next(of: lines, after: moment) {
        $0.milliseconds / 2_592_000_000 % 2 == 0 ? 0 : 3_600
      }
    }
    guard let next else { return }
    precondition(next > moment, "a moment that is not later")
    precondition(next.milliseconds % 60_000 == 0)
    moment = next
  }
}
