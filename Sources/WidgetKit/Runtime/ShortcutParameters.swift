import AppIntents
import IntentProtocol
import JSON
import WidgetExtension

/// Tells the daemon the values that the sentences of App Shortcuts name.
enum ShortcutParameters: ShortcutParameterReceiver {
  static func update(_ provider: any AppShortcutsProvider.Type) {
    Task.detached {
      for shortcut in provider.appShortcuts {
        let names = Set(shortcut.phrases.flatMap(\.parameterNames))
        await update(shortcut.intentType, names)
      }
    }
  }

  private static func update<Intent: AppIntent>(
    _ type: Intent.Type, _ names: Set<String>
  ) async {
    let prefix = await ProgramDescriber.listName(ProgramCommand.programName)
    for (name, parameter) in type.init().parameters where names.contains(name) {
      guard let source = parameter.optionsSource else { continue }
      do {
        let values = await ProgramDescriber.values(of: try await source.options(matching: nil))
        let list = await ProgramDescriber.listName(
          of: parameter.type.shape, name, prefix: prefix)
        WidgetCenter.shared.link.post(
          .intentSetList,
          [
            "name": .string(list),
            "values": .array(
              values.map { ["in": .string($0.said), "out": .string($0.carried)] }),
          ])
      } catch {
        complain("the values of '\(name)' were not updated: \(describe(error))")
      }
    }
  }
}
