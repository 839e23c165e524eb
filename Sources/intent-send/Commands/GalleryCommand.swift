import ArgumentParser
import IntentProtocol
import JSON
import PlainText

struct Gallery: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "List the kinds of widgets there are to add, and how they look.",
    discussion: """
      intent-send gallery
      intent-send gallery --previews            how each looks before you place it
      intent-send gallery --previews weather --family large --language zh_CN

      Names and descriptions come in your language, as far as a kind has it.

      A preview that cannot be made is a placeholder: light blocks, and the reason below them.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Show how the kinds look.") var previews = false
  @Option(
    help: "With --previews: the family, for kinds that have it.", completion: .list(familyNames),
    transform: canonicalFamily)
  var family: String?
  @Option(help: "The language, such as zh_CN; without it yours.")
  var language: String?
  @Argument(
    help: "A kind, or the end of its id; without it all.", completion: .custom(completeKinds))
  var kind: String?

  func validate() throws {
    guard !previews, family != nil else { return }
    throw ValidationError("--family is for --previews; add it")
  }

  func run(_ daemon: inout Daemon) throws(Failure) {
    // Names come in the person's languages, and so do previews where no language is named.
    var params = personsLanguages
    if let kind { params["kind"] = .string(try daemon.kind(meantBy: kind)) }
    if previews { params["previews"] = true }
    if let family { params["family"] = .string(family) }
    if let language {
      params = JSONObject(params.members.filter { $0.key != "languages" })
      params["language"] = .string(language)
    }
    let result = try daemon.ask(.galleryList, params)
    var folders: [String] = []
    if !daemon.printsJSON, daemon.renderer.list("kinds", in: result).isEmpty {
      let status = try daemon.ask(.daemonStatus)
      folders = (status["folders"]?.arrayValue ?? []).compactMap(\.stringValue)
    }
    daemon.show(result) { $0.gallery(result, folders: folders) }
  }
}
