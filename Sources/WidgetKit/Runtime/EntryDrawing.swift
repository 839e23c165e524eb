import JSON
import SwiftUI

/// Draws the entries of one answer: evaluates their views on the main actor, one after the other.
struct EntryDrawing: Sendable {
  private let environment: MainActorEnvironment
  private let family: WidgetFamily
  private let wantsPicture: Bool
  private var pictureBytes = 0
  private var dropped = 0
  private var found: [String] = []

  /// Keeps the environment, which is no value to share, for the main thread alone.
  private struct MainActorEnvironment: @unchecked Sendable {
    let values: EnvironmentValues
  }

  init(context: TimelineProviderContext, isPlaceholder: Bool, wantsPicture: Bool) {
    var environment = context.environment
    if isPlaceholder { environment.redactionReasons = .placeholder }
    self.environment = MainActorEnvironment(values: environment)
    family = context.family
    self.wantsPicture = wantsPicture
  }

  /// Sentences for the author.
  var warnings: [String] {
    guard dropped > 0 else { return found }
    return found + [
      "\(dropped) entries have no picture: those of a timeline have at most \(Limits.picturesBytesMax) bytes"
    ]
  }

  /// Returns the content of an entry and what stands beside it.
  @MainActor
  mutating func draw(_ entry: ProvidedEntry, at date: Date) -> JSONObject {
    let tree = Self.tree(entry.view(), in: environment.values)
    for warning in tree.warnings { warn(warning) }
    var members: JSONObject = ["content": .object(tree.content(for: family))]
    if let url = tree.url { members["url"] = .string(url) }
    if wantsPicture { members["view"] = picture(of: entry, tree, at: date) }
    return members
  }

  private mutating func warn(_ sentence: String) {
    if !found.contains(sentence) { found.append(sentence) }
  }

  @MainActor
  private mutating func picture(
    of entry: ProvidedEntry, _ tree: ViewTree, at date: Date
  ) -> JSONValue? {
    var darkTree = tree
    if tree.readsColorScheme {
      var dark = environment.values
      dark.colorScheme = .dark
      darkTree = Self.tree(entry.view(), in: dark)
    }
    let drawn = [
      tree.html(in: .light, at: date), darkTree.html(in: .dark, at: date),
    ]
    for warning in drawn.flatMap(\.warnings) { warn(warning) }
    guard let light = drawn[0].html, let dark = drawn[1].html else { return nil }
    let bytes = light.utf8.count + (light == dark ? 0 : dark.utf8.count)
    guard bytes <= Limits.pictureBytesMax else {
      warn(
        "the picture is left out: light and dark have \(bytes) bytes of \(Limits.pictureBytesMax)")
      return nil
    }
    guard pictureBytes + bytes <= Limits.picturesBytesMax else {
      dropped += 1
      return nil
    }
    pictureBytes += bytes
    return light == dark ? .string(light) : ["light": .string(light), "dark": .string(dark)]
  }

  @MainActor
  static func tree(_ view: some View, in environment: EnvironmentValues) -> ViewTree {
    ViewTree.evaluate(view, in: environment)
  }
}
