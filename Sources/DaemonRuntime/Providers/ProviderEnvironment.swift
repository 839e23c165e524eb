import IntentProtocol
import WidgetCenter

/// The variables that every provider gets from the daemon's own environment.
///
/// A name that is not listed here stays out: an environment often holds passwords and tokens.
struct ProviderEnvironment {
  /// `XDG_DATA_HOME` is where the folders of groups are: a program finds the same ones when a person
  /// starts it in a shell.
  private static let always = ["PATH", "HOME", "USER", "LANG", "TZ", "TMPDIR", "XDG_DATA_HOME"]
  /// The variables that a script in the person's bar has, to reach their screen, session and
  /// window manager.
  static let session = SessionVariable.allCases.map(\.rawValue)
  private static let proxies = [
    "http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY",
  ]
  private static let proxyExceptions = ["no_proxy", "NO_PROXY"]

  /// Of these, those that tell a boxed program nothing of the session and the home.
  private static let boxed = ["USER", "LANG", "TZ"]

  private let base: [(String, String)]
  private let proxyURLs: [(String, String)]

  init(_ environment: [String: String]) {
    func named(_ names: [String]) -> [(String, String)] {
      names.compactMap { name in environment[name].map { (name, $0) } }
    }
    var base = named(Self.always) + named(Self.session)
    base += environment.filter { $0.key.hasPrefix("LC_") }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
    if environment["PATH"] == nil { base.insert(("PATH", "/usr/local/bin:/usr/bin:/bin"), at: 0) }
    self.base = base + named(Self.proxyExceptions)
    proxyURLs = named(Self.proxies)
  }

  /// Returns the variables for a provider.
  ///
  /// The password of a proxy goes only to a provider that declares `needs: network`. Others get the
  /// proxy's URL without it: a program that asks the network all the same hears what is missing.
  func variables(of provider: ProviderDeclaration) -> [(String, String)] {
    base
      + proxyURLs.map { name, url in
        (name, provider.needsNetwork ? url : Self.withoutUserInfo(url))
      }
  }

  /// Returns the variables for a provider in a box.
  ///
  /// They name no part of the session, and of the person's folders none but the cache folder of its
  /// kind, `cache`; the launcher adds INTENTD_HOME. Proxies come with the permission to use the
  /// network, with their passwords. PATH has the folders whose programs a box can run.
  func boxedVariables(_ permissions: ProviderPermissions, cache: String) -> [(String, String)] {
    var variables: [(String, String)] = []
    for (name, value) in base {
      if name == "PATH" {
        let folders = value.split(separator: ":").map(String.init)
          .filter { BoxPaths.isProgramFolder($0) }
        variables.append((name, folders.joined(separator: ":")))
      } else if Self.boxed.contains(name) || name.hasPrefix("LC_") {
        variables.append((name, value))
      } else if Self.proxyExceptions.contains(name), permissions.network {
        variables.append((name, value))
      }
    }
    variables += [("HOME", cache), ("TMPDIR", cache + "/tmp")]
    if !permissions.bus.isEmpty {
      variables.append(("DBUS_SESSION_BUS_ADDRESS", BusProxies.addressInBox))
    }
    return permissions.network ? variables + proxyURLs : variables
  }

  /// Returns a URL without the user and the password: `http://me:secret@proxy:80` becomes
  /// `http://proxy:80`.
  ///
  /// The user info ends at the last `@`, since a password may hold an `@` or a slash that is not
  /// escaped.
  static func withoutUserInfo(_ url: String) -> String {
    let bytes = Array(url.utf8)
    var start = 0
    if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8)
    {
      start = colon + 3
    }
    guard let at = bytes[start...].lastIndex(of: UInt8(ascii: "@")) else { return url }
    return String(decoding: bytes[..<start] + bytes[(at + 1)...], as: UTF8.self)
  }
}
