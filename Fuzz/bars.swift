import JSON
import Plugins

/// Fuzzes the readers of what scripts of bars print, once and as a stream.
///
/// The first byte chooses the exit status, the sizes in which the output comes, and whether settings
/// of the bar stand around it; their template is the beginning of the output.
///
/// - There is a frame whatever was printed, and it keeps all limits.
/// - Nothing in it steers a terminal, and a frame that is cleaned again is the same.
/// - Its content is JSON, smaller than an entry may be.
/// - A stream gives the same last frame in whatever pieces it comes.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  guard let choice = input.first else { return 0 }
  let output = Array(input.dropFirst())
  let status: Int32 = choice % 4 == 0 ? PluginReader.urgentStatus : 0
  for format in [PluginFormat.waybar, .i3blocks, .polybar, .genmon, .text] {
    let verdict = within(1_000, "a bar") {
      PluginReader.judge(output, format, exitStatus: status, look: look(choice, output))
    }
    guard case .shows(let reading) = verdict else {
      precondition(status != 0 && format != .i3blocks, "a failure without a reason")
      continue
    }
    check(reading)
  }
  for division in [StreamFrames.Division.lines, .leading, .trailing] {
    check(division, output, pieceBytes: Int(choice / 4) + 1)
  }
  return 0
}

private func look(_ choice: UInt8, _ output: [UInt8]) -> PluginLook? {
  guard choice % 3 == 0 else { return nil }
  var look = PluginLook()
  look.format = String(decoding: output.prefix(64), as: UTF8.self)
  look.icons = ["default": ["a", "b", "c"], "on": ["<b>x</b>"]]
  look.tooltip = .format("{alt} {icon} {percentage:>5} {text:.9}")
  look.lengthMax = Int(choice) + 1
  look.isPlain = choice % 2 == 0
  return look
}

private func check(_ reading: PluginReading) {
  let frame = reading.frame
  precondition(frame.titles.count <= PluginLimits.titleCountMax)
  precondition(reading.warnings.count <= PluginLimits.warningCountMax)
  precondition(frame.percentage.map { (0...100).contains($0) } ?? true)
  precondition(frame.clicks.keys.allSatisfy { (1...9).contains($0) })
  let content = JSONValue.object(frame.content)
  precondition(content.serialized.utf8.count < 256 * 1_024, "more than an entry takes")
  for text in shown(content) {
    precondition(
      text.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
          && !(0x202A...0x202E).contains($0.value)
      }, "a control character is shown")
  }
  precondition(PluginReading(frame: frame).cleaned().frame == frame, "cleaned again, it differs")
}

/// Returns the texts that a surface shows: all but the arguments of programs.
private func shown(_ value: JSONValue) -> [String] {
  switch value {
  case .string(let text): [text]
  case .array(let values): values.flatMap(shown)
  case .object(let object):
    object.members.filter { $0.key != "exec" }.flatMap { shown($0.value) }
  default: []
  }
}

private func check(_ division: StreamFrames.Division, _ output: [UInt8], pieceBytes: Int) {
  var whole = StreamFrames(division)
  whole.take(output, at: 0)
  let last = whole.lastFrame()
  precondition((last?.count ?? 0) <= PluginLimits.streamFrameBytesMax)

  var parts = StreamFrames(division)
  var now: Int64 = 0
  var lastShown: Int64?
  var shownLast: [UInt8]?
  for start in stride(from: 0, to: output.count, by: pieceBytes) {
    now += Int64(start % 90)
    parts.take(Array(output[start..<min(start + pieceBytes, output.count)]), at: now)
    while let moment = parts.nextMoment, moment <= now {
      guard let frame = parts.frame(at: now) else { fatalError("a moment without a frame") }
      if let lastShown { precondition(now - lastShown >= PluginLimits.streamIntervalMilliseconds) }
      lastShown = now
      shownLast = frame
    }
  }
  let ended = parts.lastFrame() ?? shownLast
  precondition(ended == last, "another last frame")
  precondition(parts.nextMoment == nil && parts.lastFrame() == nil)
}
