package import JSON
package import Timekeeping

/// A variable of the environment of a run.
package struct PluginVariable: Hashable, Sendable {
  package var name: String
  /// Without NUL bytes.
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = String(value.unicodeScalars.filter { $0 != "\0" }.map(Character.init))
  }

  /// Returns whether `text` can be the name of a variable: letters, digits and `_`, no digit first.
  ///
  /// Names that change how programs are loaded or found are none: a text of others may not choose
  /// the libraries or the interpreter of a program.
  package static func isName(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first, bytes.count <= 128, !(48...57).contains(first),
      bytes.allSatisfy({ byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || byte == UInt8(ascii: "_")
      })
    else { return false }
    let isLoader = ["LD_", "DYLD_", "BASH_FUNC_"].contains(where: text.hasPrefix)
    return !isLoader
      && ![
        "BASH_ENV", "BASHOPTS", "CLASSPATH", "ENV", "GCONV_PATH", "GIO_EXTRA_MODULES",
        "GIT_EXEC_PATH", "GIT_SSH", "GIT_SSH_COMMAND", "GTK_MODULES", "GTK_PATH", "IFS",
        "JAVA_TOOL_OPTIONS", "LUA_CPATH", "LUA_INIT", "LUA_PATH", "NODE_OPTIONS", "NODE_PATH",
        "PATH", "PERL5LIB", "PERL5OPT", "PERLLIB", "PROMPT_COMMAND", "PS4", "PYTHONHOME",
        "PYTHONPATH", "PYTHONSTARTUP", "RUBYLIB", "RUBYOPT", "SHELLOPTS",
      ].contains(text)
  }
}

/// The variables that the programs of menus give to a script, beside the session's own.
///
/// Source: PLUGINS.md, a section for each family. Pure: the caller says what it knows.
package struct PluginVariables: Hashable, Sendable {
  /// Why a script runs; its text is SwiftBar's.
  package enum Reason: String, CaseIterable, Hashable, Sendable {
    case firstLaunch = "FirstLaunch"
    case schedule = "Schedule"
    case menuAction = "MenuAction"
    case refreshAll = "RefreshAllMenu"
    case url = "URLScheme"
    case menuOpen = "MenuOpen"
    case wake = "WakeFromSleep"
    case settings = "PluginSettings"
  }

  /// Absolute path of the script.
  package var file: String
  /// Absolute path of the plugins folder.
  package var folder: String
  /// Absolute paths of folders of this script's own, which exist.
  package var cacheFolder: String
  package var dataFolder: String
  package var isDark = false
  package var isMenuOpen = false
  package var reason = Reason.schedule
  /// The moment when the daemon started.
  package var launch = WallTime(milliseconds: 0)
  /// The machine's last sleep and wake; `nil`: none is known.
  package var lastSleep: WallTime?
  package var lastWake: WallTime?
  /// Major, minor and patch of the system's version.
  package var systemVersion = [0, 0, 0]
  /// The tags of the script.
  package var tags = PluginTags("")
  /// The query items of a URL that asked for this run, in order.
  package var query: [PluginVariable] = []
  /// The values that the person chose: `PluginSource.values`.
  package var values: JSONObject = [:]

  package init(file: String, folder: String, cacheFolder: String, dataFolder: String) {
    self.file = file
    self.folder = folder
    self.cacheFolder = cacheFolder
    self.dataFolder = dataFolder
  }

  /// Returns the variables of a run, each name once, sorted; empty for a family without menus.
  ///
  /// A later one of these wins: the defaults of the tags, `<swiftbar.environment>`, the query of a
  /// URL, the person's values, and the family's own variables, which no text of others replaces.
  package func all(_ format: PluginFormat) -> [PluginVariable] {
    guard format.isMenu else { return [] }
    var result = chosen
    for variable in own(format) { result[variable.name] = variable.value }
    return result.sorted { $0.key < $1.key }.map { PluginVariable($0.key, $0.value) }
  }

  /// The variables of the tags, the query and the person's values, by name, without those of a
  /// family itself.
  package var chosen: [String: String] {
    var result: [String: String] = [:]
    // xbar drops defaults that are empty; a script that sees none uses its own.
    for variable in tags.variables where !variable.value.isEmpty {
      result[variable.name] = variable.value
    }
    for variable in tags.environment + query where PluginVariable.isName(variable.name) {
      result[variable.name] = variable.value
    }
    for member in values.members where PluginVariable.isName(member.key) {
      guard let text = Self.text(member.value) else { continue }
      result[member.key] = PluginVariable(member.key, text).value
    }
    return result
  }

  /// The variables of a family itself.
  private func own(_ format: PluginFormat) -> [PluginVariable] {
    switch format {
    case .xbar:
      var variables = [
        PluginVariable("BitBar", "1"), PluginVariable("XBARDarkMode", isDark ? "true" : "false"),
      ]
      if isDark { variables.append(PluginVariable("BitBarDarkMode", "1")) }
      return variables
    case .swiftbar: return ofSwiftBar
    case .argos:
      return [
        PluginVariable("ARGOS_VERSION", "2"),
        PluginVariable("ARGOS_MENU_OPEN", isMenuOpen ? "true" : "false"),
      ]
    case .waybar, .i3blocks, .polybar, .genmon, .text: return []
    }
  }

  private var ofSwiftBar: [PluginVariable] {
    let package = PluginSource(path: file).package
    let plugins = package.flatMap { path in
      path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
    var variables = [
      PluginVariable("SWIFTBAR", "1"),
      PluginVariable("SWIFTBAR_VERSION", "2.1.2"),
      PluginVariable("SWIFTBAR_BUILD", "0"),
      PluginVariable("SWIFTBAR_PLUGINS_PATH", plugins ?? folder),
      PluginVariable("SWIFTBAR_PLUGIN_PATH", file),
      PluginVariable("SWIFTBAR_PLUGIN_CACHE_PATH", cacheFolder),
      PluginVariable("SWIFTBAR_PLUGIN_DATA_PATH", dataFolder),
      PluginVariable("SWIFTBAR_PLUGIN_REFRESH_REASON", reason.rawValue),
      PluginVariable("SWIFTBAR_LAUNCH_TIME", launch.rfc3339),
      PluginVariable("OS_APPEARANCE", isDark ? "Dark" : "Light"),
    ]
    if let package { variables.append(PluginVariable("SWIFTBAR_PLUGIN_PACKAGE_PATH", package)) }
    for (name, number) in zip(["MAJOR", "MINOR", "PATCH"], systemVersion) {
      variables.append(PluginVariable("OS_VERSION_\(name)", "\(number)"))
    }
    if let lastSleep {
      variables.append(PluginVariable("OS_LAST_SLEEP_TIME", lastSleep.rfc3339))
    }
    if let lastWake { variables.append(PluginVariable("OS_LAST_WAKE_TIME", lastWake.rfc3339)) }
    return variables
  }

  /// Returns a person's value as scripts get it; `nil` for one that is no single value.
  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .int, .double: value.serialized
    case .null, .array, .object: nil
    }
  }
}

extension PluginVariables {
  /// Returns the names of the files that hold a person's values for a script, the weaker first:
  /// SwiftBar's `tail.5s.vars.json`, then xbar's `tail.5s.sh.vars.json`.
  package static func valueFiles(of file: String) -> [String] {
    let stem = file.split(separator: ".", omittingEmptySubsequences: false).dropLast()
    let short = stem.isEmpty ? file : stem.joined(separator: ".")
    return short == file ? [file + ".vars.json"] : [short + ".vars.json", file + ".vars.json"]
  }

  /// Reads files of values, the weaker first, into one object; a file that is no object of single
  /// values gives nothing, and a warning that names it.
  package static func values(
    of files: [(name: String, bytes: [UInt8])]
  ) -> (values: JSONObject, warnings: [PluginWarning]) {
    var values: JSONObject = [:]
    var warnings: [PluginWarning] = []
    for file in files {
      guard let object = object(file.bytes) else {
        warnings.append(
          PluginWarning(
            "'\(file.name)' is no JSON object of at most \(PluginLimits.valuesBytesMax) bytes, and"
              + " is ignored; write {\"NAME\": \"value\"}"))
        continue
      }
      if object.members.count > PluginLimits.variableCountMax {
        warnings.append(
          PluginWarning(
            "'\(file.name)' has more than \(PluginLimits.variableCountMax) values; the first ones"
              + " count"))
      }
      for member in object.members.prefix(PluginLimits.variableCountMax) {
        guard PluginVariable.isName(member.key), text(member.value) != nil else {
          warnings.append(
            PluginWarning("'\(file.name)' has a member that is no variable: '\(member.key)'"))
          continue
        }
        values[member.key] = member.value
      }
    }
    return (values, warnings)
  }

  private static func object(_ bytes: [UInt8]) -> JSONObject? {
    guard bytes.count <= PluginLimits.valuesBytesMax else { return nil }
    do throws(JSONError) {
      return try JSONValue(parsing: bytes).objectValue
    } catch {
      // The caller names the file; the others still count.
      return nil
    }
  }
}
