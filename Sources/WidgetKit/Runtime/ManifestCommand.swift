import SwiftUI

@MainActor struct ManifestCommand {
  let kinds: [WidgetProgram.Kind]; let options: ProgramCommand.ManifestOptions; func run() {}
}
@MainActor struct RenderCommand {
  let kinds: [WidgetProgram.Kind]; let options: ProgramCommand.RenderOptions; func run() {}
}
