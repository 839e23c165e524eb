import Glibc
package import IntentProtocol
import WidgetCenter

/// The paths and options of the service: from the command line, else the base directories, else
/// defaults.
package struct RuntimeOptions: Sendable {
  package var socket: SocketLocation
  /// Folders with `config.yaml`, `widgets/` and `intents/` in them, the person's own first.
  package var configurationFolders: [String]
  /// Further folders that are an `intents` or a `widgets` folder themselves.
  package var intentFolders: [String]
  package var widgetFolders: [String]
  /// The folder with what `intent-send install` takes in, and with consents.
  package var dataHome: String
  package var stateFolder: String
  package var cacheFolder: String
  package var environment: [String: String]
  package var userID: UInt32
  package var version: String
  package var logLevel: String
  /// Bytes that all clients together may make the daemon hold.
  package var clientBytesMax = RuntimeLimits.clientBytesMax
  /// The path of `intentd`, which is started once more to supervise runs.
  ///
  /// The program that runs: an upgrade that replaces the file does not mix two versions.
  package var supervisorProgram = "/proc/self/exe"

  /// Source: the XDG base directory specification; relative values are ignored, as it says.
  package init(
    environment: [String: String], userID: UInt32, version: String, socketPath: String? = nil,
    configurationFolder: String? = nil, stateFolder: String? = nil, intentFolders: [String] = [],
    widgetFolders: [String] = [], logLevel: String = "notice"
  ) {
    let home = Self.absolute(environment["HOME"]) ?? "/"
    func base(_ name: String, _ standard: String) -> String {
      (Self.absolute(environment[name]) ?? home + standard) + "/intentd"
    }
    socket =
      socketPath.map { SocketLocation(path: $0, privateFolder: nil) }
      ?? SocketLocation.find(userID: userID) { environment[$0] }
    let shared = (environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(
      separator: ":"
    )
    .compactMap { Self.absolute(String($0)) }
    .map { $0 + "/intentd" }
    configurationFolders =
      configurationFolder.map { [$0] }
      ?? [base("XDG_CONFIG_HOME", "/.config"), base("XDG_DATA_HOME", "/.local/share")] + shared
    dataHome = configurationFolder ?? base("XDG_DATA_HOME", "/.local/share")
    self.intentFolders = intentFolders
    if let extra = environment["INTENTD_INTENTS"], !extra.isEmpty {
      self.intentFolders.append(extra)
    }
    self.widgetFolders = widgetFolders
    self.stateFolder = stateFolder ?? base("XDG_STATE_HOME", "/.local/state")
    cacheFolder = base("XDG_CACHE_HOME", "/.cache")
    self.environment = environment
    self.userID = userID
    self.version = version
    self.logLevel = logLevel
  }

  /// Every intents folder, the person's own first.
  package var allIntentFolders: [String] {
    intentFolders + configurationFolders.map { $0 + "/intents" }
  }

  /// The first intents folder that has `lists/` on the disk now; `nil`: none has.
  ///
  /// Providers get it as `INTENTD_DATA`.
  package var dataFolder: String? {
    allIntentFolders.first { access($0 + "/lists", R_OK) == 0 }
  }

  package var allWidgetFolders: [String] {
    widgetFolders + configurationFolders.map { $0 + "/widgets" }
  }

  /// The folders for scripts of other bars, the person's own first.
  package var allPluginFolders: [String] { configurationFolders.map { $0 + "/plugins" } }

  /// The folder of `intent-send install`: a folder for each kind that came from elsewhere.
  package var installedFolder: String { dataHome + "/installed" }

  /// The folders that apps share with their widgets.
  package var groups: GroupFolders { GroupFolders(folder: dataHome + "/groups") }

  package var consents: ConsentFiles { ConsentFiles(folder: dataHome + "/grants") }

  /// The possible settings files; the first that exists counts.
  package var settingsFiles: [String] { configurationFolders.map { $0 + "/config.yaml" } }

  /// `en_US` from `en_US.UTF-8`, by the usual order of variables.
  package var locale: String {
    let text = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first {
      !$0.isEmpty
    }
    let name = String((text ?? "C").prefix { $0 != "." && $0 != "@" })
    return name == "C" || name == "POSIX" || name.isEmpty ? "en_US" : name
  }

  /// Reads a budget for what clients make the daemon hold, such as `256MB`; `nil`: none of the
  /// choices.
  package static func clientBytes(_ text: String) -> Int? {
    guard let bytes = ByteCount.read(text).flatMap(Int.init(exactly:)),
      RuntimeLimits.clientBytesChoices.contains(bytes)
    else { return nil }
    return bytes
  }

  package static func text(ofBytes bytes: Int) -> String { ByteCount.write(UInt64(bytes)) }

  private static func absolute(_ path: String?) -> String? {
    guard let path, path.hasPrefix("/") else { return nil }
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
