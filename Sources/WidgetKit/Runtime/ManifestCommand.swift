import Intents
import SwiftUI
import WidgetExtension

/// `manifest --into DIR`: writes the manifest of the program, its intents and their sentences.
@MainActor
struct ManifestCommand {
  let kinds: [WidgetProgram.Kind]
  let options: ProgramCommand.ManifestOptions

  func run() -> Never {
    // Queries of entities run meanwhile, perhaps on the main queue.
    Task { @MainActor in
      var describer = ProgramDescriber(programName: ProgramCommand.programName)
      let description = await describer.describe(kinds, options)
      for warning in describer.warnings { complain(warning) }
      exit(write(description.files + definitionFiles) ? 0 : 1)
    }
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  /// The definition files of intents of SiriKit, as the generated classes carry them.
  private var definitionFiles: [ProgramDescription.File] {
    var files: [ProgramDescription.File] = []
    for kind in kinds {
      guard case .intent(let type) = kind.source.configuration else { continue }
      let path = "intents/\(type._intentName)/\(type._intentName).intentdefinition"
      guard let text = type._definition else {
        complain(
          "\(type._intentName) brings no definition; copy the app's .intentdefinition to the intents folder"
        )
        continue
      }
      if !files.contains(where: { $0.path == path }) {
        files.append(ProgramDescription.File(path: path, text: text))
      }
    }
    return files
  }

  private func write(_ files: [ProgramDescription.File]) -> Bool {
    for file in files {
      let url = URL(fileURLWithPath: NSString(string: options.folder).expandingTildeInPath)
        .appendingPathComponent(file.path)
      do {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: url, options: .atomic)
        ProgramOutput.say(url.path)
      } catch {
        complain("cannot write \(url.path): \(error.localizedDescription)")
        return false
      }
    }
    return true
  }
}
