import Plugins
import Testing

/// Reads settings that a test writes, with files that they include.
func imported(
  _ format: ImportFormat, _ text: String, files: [String: String] = [:],
  environment: [String: String] = [:], path: String = "/h/.config/bar/config"
) -> ImportReading {
  ImportSource(path: path, bytes: Array(text.utf8), home: "/h", environment: environment) {
    files[$0].map { .bytes(Array($0.utf8)) } ?? .missing("no such file")
  }.read(format)
}

extension ImportReading {
  func module(_ name: String) throws -> ImportedModule {
    try #require(modules.first { $0.name == name })
  }

  func plugin(_ name: String) throws -> ImportedPlugin {
    let module = try module(name)
    return try #require(module.plugin, "\(name): \(module.outcome)")
  }

  /// The reasons of modules that are not taken, by name.
  var reasons: [String: String] {
    var reasons: [String: String] = [:]
    for module in modules {
      switch module.outcome {
      case .taken: break
      case .hasNoCommand(let reason): reasons[module.name] = reason
      case .refused(let reason): reasons[module.name] = "refused: " + reason
      }
    }
    return reasons
  }
}
