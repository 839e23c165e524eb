import JSON
import PlainText
import Plugins

/// Fuzzes the time that the readers of scripts take: a part of the input is repeated up to the
/// longest input that a reader gets, and the time has to grow with the length alone.
///
/// The first byte chooses the reader. Sections of the rest are the beginning, the part that is
/// repeated, and the end; a `\n` that is written out is a line feed in each of them.
///
/// Its limit is ten times what it takes of an ordinary input. A reader that looks at the rest of
/// the input for each part takes hundreds of times as long.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  guard let choice = input.first else { return 0 }
  let parts = sections(Array(input.dropFirst()), countMax: 3).map(withLineFeeds)
  let reader = readers[Int(choice) % readers.count]
  var repeated = parts[0]
  let part = parts.count > 1 ? parts[1] : parts[0]
  let room = reader.byteCount - parts[0].count - (parts.count > 2 ? parts[2].count : 0)
  guard !part.isEmpty, room > part.count else { return 0 }
  repeated.reserveCapacity(reader.byteCount)
  for _ in 0..<room / part.count { repeated += part }
  if parts.count > 2 { repeated += parts[2] }
  let limit = 20 + repeated.count * reader.microsecondsPerByte / 1_000
  within(limit, reader.name) { reader.read(repeated) }
  return 0
}

private struct Reader: Sendable {
  let name: StaticString
  /// The length of its input: the longest one, or one at which a slow reader is seen.
  var byteCount = 64 << 10
  var microsecondsPerByte = 3
  let read: @Sendable ([UInt8]) -> Void
}

private let readers: [Reader] = [
  // Of each line they look for the keys that an unknown one may mean.
  Reader(name: "a menu of xbar", microsecondsPerByte: 10) { _ = PluginReader.read($0, .xbar) },
  Reader(name: "a menu of SwiftBar", microsecondsPerByte: 10) {
    _ = PluginReader.read($0, .swiftbar)
  },
  Reader(name: "a menu of Argos", microsecondsPerByte: 10) { _ = PluginReader.read($0, .argos) },
  Reader(name: "a module of Waybar") { _ = PluginReader.read($0, .waybar) },
  Reader(name: "a block") { _ = PluginReader.read($0, .i3blocks) },
  Reader(name: "polybar") { _ = PluginReader.read($0, .polybar) },
  Reader(name: "a monitor") { _ = PluginReader.read($0, .genmon) },
  Reader(name: "text") { _ = PluginReader.read($0, .text) },
  Reader(name: "Pango") { _ = Pango.read(text($0)) },
  Reader(name: "escape sequences") { _ = ANSI.read(text($0)) },
  Reader(name: "polybar's tags") { _ = PolybarTags.read(text($0)) },
  Reader(name: "emoji codes") { _ = EmojiCodes.replaced(in: text($0)) },
  Reader(name: "a line of tags") { _ = PluginTags(text($0)) },
  Reader(name: "the tags of a file") { _ = PluginTags(PluginTagLines(in: $0)) },
  Reader(name: "an installed script") { _ = InstalledPlugin.read("a.5s.sh", $0) },
  Reader(name: "a file of values") {
    _ = PluginVariables.values(of: [(name: "a.vars.json", bytes: $0)])
  },
  Reader(name: "a schedule", byteCount: PluginLimits.tagBytesMax) { _ = CronLine.lines(text($0)) },
  Reader(name: "the name of a file", byteCount: 4_096) {
    _ = PluginFileName.read(text($0), .swiftbar)
  },
  Reader(name: "a command", byteCount: PluginLimits.importCommandBytesMax) {
    _ = ShellWords.read(text($0), home: "/h")
  },
  Reader(name: "settings of Waybar") { importing($0, .waybar) },
  Reader(name: "settings of i3blocks") { importing($0, .i3blocks) },
  Reader(name: "settings of polybar") { importing($0, .polybar) },
  Reader(name: "settings of a monitor") { importing($0, .genmon) },
  Reader(name: "a picture") { _ = PluginPicture.read($0) },
  Reader(name: "frames of a stream") { bytes in
    var frames = StreamFrames(.leading)
    for start in stride(from: 0, to: bytes.count, by: 512) {
      frames.take(Array(bytes[start..<min(start + 512, bytes.count)]), at: Int64(start))
      _ = frames.frame(at: Int64(start))
    }
    _ = frames.lastFrame()
  },
  Reader(name: "a template", byteCount: PluginLimits.lookTextBytesMax) { bytes in
    var look = PluginLook()
    look.format = text(bytes)
    _ = PluginReader.read(Array(#"{"text":"a","alt":"b"}"#.utf8), .waybar, look: look)
  },
  Reader(name: "a text in a template") { bytes in
    var look = PluginLook()
    look.format = String(repeating: "{text}", count: 600)
    look.lengthMax = 20
    _ = PluginReader.read(bytes, .waybar, look: look)
  },
  Reader(name: "cleaning") { bytes in
    var frame = PluginFrame()
    frame.titles = [PluginItem(text(bytes))]
    frame.text = [StyledText(text(bytes))]
    _ = PluginReading(frame: frame).cleaned()
  },
]

private func importing(_ bytes: [UInt8], _ format: ImportFormat) {
  let source = ImportSource(path: "/h/config", bytes: bytes, home: "/h", environment: [:]) { _ in
    .missing("none")
  }
  for module in source.read(format).modules {
    guard let plugin = module.plugin else { continue }
    _ = ImportedManifest(kind: module.kind, module: module, plugin: plugin).body
  }
}

private func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  var index = 0
  while index < bytes.count {
    if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count,
      bytes[index + 1] == UInt8(ascii: "n")
    {
      result.append(10)
      index += 2
    } else {
      result.append(bytes[index])
      index += 1
    }
  }
  return result
}
