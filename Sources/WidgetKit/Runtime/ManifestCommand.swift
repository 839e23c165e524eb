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
      var description = await describer.describe(kinds, options)
      description.definedActs = handledIntents.map(\._intentName)
      for warning in describer.warnings { complain(warning) }
      let folder = ManifestFolder(path: options.folder, program: ProgramCommand.programName)
      let isWritten = folder.write(description.files + definitionFiles)
      if isWritten, let hint = description.groupHint { complain(hint) }
      exit(isWritten ? 0 : 1)
    }
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  /// The intents of SiriKit that configure a kind.
  private var configurations: [INIntent.Type] {
    kinds.compactMap { kind in
      guard case .intent(let type) = kind.source.configuration else { return nil }
      return type
    }
  }

  /// The intents of SiriKit that the program's extension can do and that configure no kind, by name.
  private var handledIntents: [INIntent.Type] {
    guard let own = INExtension.own else { return [] }
    let configuring = configurations.map(\._intentName)
    return INIntent.generatedClasses.values.filter { type in
      let intent = type.init()
      return !configuring.contains(type._intentName)
        && own.handler(for: intent).map { intent._isHandled(by: $0) } ?? false
    }.sorted { $0._intentName < $1._intentName }
  }

  /// The definition files of intents of SiriKit, as the generated classes carry them.
  private var definitionFiles: [ProgramDescription.File] {
    let mark = WriterMark(program: ProgramCommand.programName)
    var files: [ProgramDescription.File] = []
    for type in configurations + handledIntents {
      let path = "intents/\(type._intentName)/\(type._intentName).intentdefinition"
      guard let text = type._definition.map({ $0.hasPrefix("<") ? mark.marked($0) : $0 }) else {
        complain(
          "\(type._intentName) brings no definition; copy the app's .intentdefinition to the intents folder"
        )
        continue
      }
      // A definition file is whole, and has all of its intents.
      if !files.contains(where: { $0.path == path || $0.text == text }) {
        files.append(ProgramDescription.File(path: path, text: text))
      }
    }
    return files
  }
}
