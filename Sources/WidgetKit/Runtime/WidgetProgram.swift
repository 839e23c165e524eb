import SwiftUI

/// The program of a widget or of a bundle.
@MainActor
package struct WidgetProgram {
  /// A kind, and what the modifiers of its configuration say.
  package struct Kind {
    package let source: WidgetSource
    package let traits: WidgetTraits

    /// The families of the kind, each once; those of iOS where its configuration names none.
    package var families: [WidgetFamily] {
      var families: [WidgetFamily] = []
      for family in traits.families ?? [
        .systemSmall, .systemMedium, .systemLarge, .systemExtraLarge,
      ] where !families.contains(family) {
        families.append(family)
      }
      return families
    }
  }

  package let kinds: [Kind]

  package init(of widget: some Widget) {
    kinds = widget.resolvedConfigurations.compactMap { configuration in
      // Live Activities and widgets of relevance have no source: nothing shows them.
      guard let sourced = configuration.leaf as? any SourcedConfiguration else { return nil }
      var source = sourced.source
      source.hasContentMargins = configuration.traits.hasContentMargins
      return Kind(source: source, traits: configuration.traits)
    }
  }

  /// Does what the arguments say; without any, answers requests until the input ends.
  package func run() {
    let words = Array(CommandLine.arguments.dropFirst())
    do throws(UsageError) {
      switch try ProgramCommand(words) {
      case .serve:
        WidgetCenter.shared.becomeProgram(
          of: kinds.map(\.source.kind),
          name: ProcessInfo.processInfo.environment["INTENTD_KIND"])
        ExtensionHost(AnswerMaker(kinds.map(\.source))).serve()
      case .help: ProgramOutput.say(ProgramCommand.help(for: ProgramCommand.programName))
      case .manifest(let options): ManifestCommand(kinds: kinds, options: options).run()
      case .render(let options): RenderCommand(kinds: kinds, options: options).run()
      }
    } catch {
      complain(error.message)
      exit(error.status)
    }
  }
}
