import IntentProtocol
import JSON
import JSONRPC
import Plugins
import WidgetCenter

/// Answers `image.get`.
extension Daemon {
  mutating func showPicture(
    _ value: JSONValue?, _ address: ReplyAddress
  ) throws(RPCError) {
    let params = try Params(value, known: ["hash"])
    let hash = try params.string("hash")
    guard let file = engine.picture(hash)?.file(hash) else {
      throw RPCError(
        .unknownImage,
        "no widget shows the picture \(quoted(hash)) now; ask for the one that its content names"
          + " (widget.list), which changes with its entry")
    }
    outbox.answer(address, file)
  }
}
