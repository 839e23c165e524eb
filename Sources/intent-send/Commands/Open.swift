import ArgumentParser
import IntentProtocol
import JSON

/// Returns the token with which a launcher or a bar let this program, and so the app that it opens,
/// take the focus; `nil` if there is none.
func activationToken() -> JSONValue? {
  // Wayland's name, and X11's.
  let token = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]
    .compactMap { environment($0) }.first { !$0.isEmpty }
  // A token that the daemon would refuse is left out: the app opens without the focus then.
  guard let token, token.utf8.count <= WireLimits.activationTokenBytesMax,
    token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
  else { return nil }
  return .string(token)
}

/// Opens a URL: a route of an intent, an x-callback-url, or a verb of a menu bar's plugin host.
///
/// The desktop runs this command for links to the daemon's schemes. So the link's author must not
/// decide for which app it acts: only `--app` names the app.
struct Open: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open a URL by the intents' routes, and print the answer.",
    discussion: """
      intent-send open weather://city/Beijing
      intent-send open "weather://city/New York"        escaped as needed
      intent-send open swiftbar://refreshallplugins     reload every widget
      intent-send open "intentd://x-callback-url/ShowWeather?city=Rome"
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var waiting: WaitOptions

  @Option(
    help: ArgumentHelp(
      "The desktop id of the app that asks: x-callback-url calls it back, and nobody else.",
      valueName: "id"))
  var app: String?

  @Argument(help: ArgumentHelp("The URL.", valueName: "url")) var url: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    var parameters: JSONObject = ["url": .string(url), "wait": .bool(waiting.wait)]
    if let app { parameters["app"] = .string(app) }
    parameters["activationToken"] = activationToken()
    let result = try daemon.ask(
      .urlOpen, parameters, milliseconds: waiting.timeout.milliseconds)
    guard result["intent"] == nil, result["receipts"] != nil else {
      return try settle(result, waiting, &daemon)
    }
    let receipts = daemon.renderer.list("receipts", in: result)
    daemon.show(result) { $0.receipts(receipts) }
    let status = exitStatus(ofReceipts: receipts)
    if status != .done { throw Failure(status: status, message: "") }
  }
}
