import IntentProtocol
import JSONRPC
import Plugins
import Timekeeping
import WidgetCenter

/// Lines for plugins that stay running, and what is said of them in the log.
extension Daemon {
  /// A line for the standard input of a stream, its end included.
  struct StreamLine: Hashable, Sendable {
    var token: RunToken
    var bytes: [UInt8]
  }

  /// Returns the line that a tap writes to the stream of the widget; `nil`: it writes none.
  ///
  /// `text` is the one that the content names. It is one line for the plugin: it is cut where a line
  /// ends, and after `PluginLimits.clickLineBytesMax`.
  func line(_ text: String?, for widget: Widget) throws(RPCError) -> StreamLine? {
    guard let text else { return nil }
    guard engine.kinds[widget.kind]?.provider.plugin?.isStream == true else {
      throw RPCError(
        .nothingToOpen,
        "the content of '\(widget.id)' wants a line written to a plugin that stays running, and"
          + " \(widget.kind) does not: write stream: true in its manifest (provider:), if it does")
    }
    guard let listener = engine.listener(widget.kind) else {
      throw RPCError(
        .nothingToOpen,
        "the plugin of '\(widget.id)' is not running now, so that nothing can be written to it;"
          + " reload the widget, then tap again")
    }
    let line = text.utf8.prefix { $0 != 0x0A && $0 != 0x0D }
    return StreamLine(
      token: listener.token, bytes: line.prefix(PluginLimits.clickLineBytesMax) + [0x0A])
  }

  /// Returns the text that a block of i3blocks reads for a click: its button, or the whole block for
  /// one that prints objects; `nil`: the block does not stay running.
  func text(of gesture: TapGesture, on widget: Widget) -> String? {
    guard let provider = engine.kinds[widget.kind]?.provider, provider.plugin?.isStream == true
    else { return nil }
    let block = provider.block(of: widget.kind)
    return gesture.click.line(
      of: block.name, instance: block.instance,
      settings: provider.environment.map { PluginVariable($0.name, $0.value) },
      frame: engine.listener(widget.kind)?.frame)
  }

  /// Takes a notice of a stream, and writes it to the log once a process.
  mutating func logStream(
    _ token: RunToken, _ notice: StreamNotice, at now: Now, into effects: inout [Effect]
  ) {
    guard let (kind, isNews) = engine.noteStream(token, notice, at: now.wall), isNews else {
      return
    }
    switch notice {
    case .floods:
      effects.append(
        .log(
          LogLine(
            .warning, "stream.floods",
            [
              "kind": kind,
              "remedy": "it prints more than is read, and waits meanwhile; let it print less",
            ])))
    case .readsNoInput:
      effects.append(
        .log(
          LogLine(
            .warning, "stream.readsNoInput",
            [
              "kind": kind,
              "remedy": "lines of clicks were left out; let it read its standard input",
            ])))
    case .leftOut: break  // The status says how many.
    }
  }
}
