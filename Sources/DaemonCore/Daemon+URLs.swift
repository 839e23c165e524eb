import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping

/// URLs become intents, by the routes of the catalogue.
extension Daemon {
  mutating func openURL(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["url", "wait", "source"])
    let wait = try params.bool("wait", default: false)
    let intent = try route(try params.string("url"))
    try perform(
      intent, Origin(source: try source(params)), wait: wait, address, at: now, into: &effects)
  }

  func route(_ url: String) throws(RPCError) -> Intent {
    switch catalog.route(url: url) {
    case .success(let intent): return intent
    case .failure(let error): throw RPCError(error)
    }
  }
}
