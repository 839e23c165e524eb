/// The places of files that `intent-web` and `intent-send web` share; both belong to the person.
///
/// Codes and sessions stand beside the daemon's socket and go with the login; devices stay.
package struct WebPlaces: Hashable, Sendable {
  /// The port of the page where no other one was chosen.
  package static let usualPort: UInt16 = 8_736

  /// The folder beside the daemon's socket.
  package let folder: String
  /// A file for each code, named by it.
  package var codes: String { folder + "/codes" }
  /// A file for each browser that is signed in, named by its cookie.
  package var sessions: String { folder + "/sessions" }
  /// The file with the port of the server that runs.
  package var port: String { folder + "/port" }
  /// The file with the addresses at which the server that runs serves panels alone, a line each:
  /// `ADDRESS PORT`.
  package var panels: String { folder + "/panels" }
  /// A file for each device, named as the device.
  package let devices: String
  /// A file for each device with its last reports, named as the device.
  package let logs: String

  /// `environment` returns the value of a variable.
  package init(socketPath: String, environment: (String) -> String?) {
    folder = socketPath + ".web"
    let state = environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let web = (state ?? (environment("HOME") ?? "") + "/.local/state") + "/intentd/web"
    devices = web + "/devices"
    logs = web + "/logs"
  }
}
