import EventLoop
import Glibc
import Plugins
import Timekeeping
import WidgetCenter

/// The world of a plugin's process, as the program has it for which the plugin was written.
struct PluginChild {
  /// The folders and the moments that a plugin is told.
  struct Place {
    /// The person's home; `nil`: none is known.
    var home: String?
    /// The folder of the kind, which may be emptied at any time.
    var cache: String
    /// The folder of what the plugin keeps.
    var data: String
    /// The moment when the daemon started.
    var launch: WallTime
    /// Whether the surface that said so last is dark.
    var isDark = false
  }

  private let run: ProviderRun
  private let declaration: PluginDeclaration
  private let place: Place

  /// `nil`: the run is of no plugin.
  init?(_ run: ProviderRun, _ place: Place) {
    guard let declaration = run.provider.plugin else { return nil }
    self.run = run
    self.declaration = declaration
    self.place = place
  }

  /// The folder in which it starts.
  ///
  /// xbar starts a plugin in the plugin's own folder, SwiftBar in that of its package; the others
  /// start theirs where they were started themselves, at home. A box has no home, and our own
  /// format has none of their habits: there it is the manifest's folder.
  var workingDirectory: String {
    let folder = StartAdvice.program(of: run.provider).folder
    switch declaration.format {
    case .xbar: return folder ?? run.provider.directory
    case .swiftbar where folder?.hasSuffix(".swiftbar") == true:
      return folder ?? run.provider.directory
    case .text: return run.provider.directory
    case .swiftbar, .argos, .waybar, .i3blocks, .polybar, .genmon:
      return run.provider.isBoxed ? run.provider.directory : place.home ?? run.provider.directory
    }
  }

  /// The variables that its family gives it, beside those of every provider.
  ///
  /// Those of its tags and files are in the declaration of the provider already.
  var variables: [ProviderDeclaration.Variable] {
    guard declaration.format.isMenu else {
      let block = run.provider.block(of: run.kind)
      var bar = BarVariables(name: block.name)
      bar.instance = block.instance
      // A click comes with the run.
      return bar.variables(declaration.format).map { .init(name: $0.name, value: $0.value) }
    }
    let file = StartAdvice.program(of: run.provider)
    var variables = PluginVariables(
      file: file, folder: file.folder ?? run.provider.directory, cacheFolder: place.cache,
      dataFolder: place.data)
    variables.launch = place.launch
    variables.isDark = place.isDark
    variables.systemVersion = Self.systemVersion
    if let request = run.plugin {
      variables.reason = Self.reason(request.reason)
      variables.isMenuOpen = request.isMenuOpen
    }
    return variables.all(declaration.format).map { .init(name: $0.name, value: $0.value) }
  }

  private static func reason(_ reason: PluginRequest.Reason) -> PluginVariables.Reason {
    switch reason {
    case .firstLook: .firstLaunch
    case .schedule: .schedule
    case .click: .menuAction
    case .menuOpened: .menuOpen
    case .signal: .url
    case .request: .refreshAll
    case .wakeUp: .wake
    }
  }

  /// The first numbers of the kernel's release: `[6, 12, 9]` of `6.12.9-amd64`.
  private static let systemVersion: [Int] = {
    var names = utsname()
    guard uname(&names) == 0 else { return [0, 0, 0] }
    let release = withUnsafeBytes(of: &names.release) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    let numbers = release.prefix { $0 == "." || $0.isASCII && $0.isNumber }.split(separator: ".")
      .compactMap { Int($0) }
    return Array((numbers + [0, 0, 0]).prefix(3))
  }()

  /// Returns the process of a condition, a program that says whether the plugin is to run.
  static func condition(
    _ words: [String], of run: ProviderRun, beside spec: ChildSpec
  ) -> ChildSpec {
    var spec = spec
    spec.program = StartAdvice.program(
      of: ProviderDeclaration(exec: words, directory: run.provider.directory))
    spec.arguments = arguments(words, beside: run.provider.directory)
    spec.wantsInput = false
    return spec
  }

  /// Returns the words of a command with the paths of files that they name beside the manifest.
  ///
  /// Most plugins start in another folder than that of their manifest. So `[python3, ./x.py]` would
  /// not find its script there, as a provider of ours does. Of the arguments those count that begin
  /// with `./` and name a file of the folder.
  static func arguments(_ words: [String], beside folder: String) -> [String] {
    words.enumerated().map { index, word in
      guard index > 0, word.hasPrefix("./") else { return word }
      let path = StartAdvice.program(of: ProviderDeclaration(exec: [word], directory: folder))
      return access(path, F_OK) == 0 ? path : word
    }
  }
}

extension String {
  /// Everything before the last slash; `nil`: there is none, or it is the first byte.
  fileprivate var folder: String? {
    lastIndex(of: "/").flatMap { $0 == startIndex ? nil : String(self[..<$0]) }
  }
}
