package import JSON
import ViewMarkup

/// The picture of an entry: markup of the vocabulary of `ViewMarkup`.
///
/// It is written anew from what was read of the provider's text, so nothing that a provider wrote
/// reaches a surface as it was.
package struct EntryView: Hashable, Sendable {
  /// The markup, for light surroundings where there are two.
  package var light: String
  /// The markup for dark surroundings; `nil`: it is the same.
  package var dark: String?

  package init(light: String, dark: String? = nil) {
    self.light = light
    self.dark = dark == light ? nil : dark
  }

  /// Bytes of both together.
  package var byteCount: Int { light.utf8.count + (dark?.utf8.count ?? 0) }

  /// The wire form: a text, or one for light and one for dark surroundings.
  package var json: JSONValue {
    guard let dark else { return .string(light) }
    return ["light": .string(light), "dark": .string(dark)]
  }

  /// Reads what this program wrote itself; `nil`: it is no view.
  init?(stored value: JSONValue) {
    if let text = value.stringValue {
      self.init(light: text)
    } else if let light = value["light"]?.stringValue, let dark = value["dark"]?.stringValue {
      self.init(light: light, dark: dark)
    } else {
      return nil
    }
    guard byteCount <= MarkupLimits.bytesMax else { return nil }
  }
}

/// Reads the views of one answer: each strictly, and all of them within the limits.
///
/// A view that is not as it should be is left out with a sentence for the author, and the content of
/// its entry is shown. The same mistake in several entries is one sentence.
struct EntryViewReader {
  private var bytesLeft = Limits.timelineViewBytesMax
  /// The sentences by the sort of the mistake, in the order in which they were found.
  private var found: [(sort: Mistake.Sort, text: String, count: Int)] = []
  /// The texts that were read, as neighbouring entries often have the same.
  private var known: [String: Result<String, MarkupError>] = [:]

  private struct Mistake: Error {
    enum Sort: Hashable {
      case form
      case markup(MarkupError.Code)
      case entryTooLarge
      case timelineTooLarge
    }

    var sort: Sort
    var message: String
  }

  /// Sentences for the author.
  var warnings: [String] {
    found.map { text in
      text.count == 1 ? text.text : "\(text.text) (and \(text.count - 1) more like it)"
    }
  }

  /// Reads the view of an entry at `path`; `nil`: there is none, or it is left out.
  ///
  /// O(bytes).
  mutating func read(_ value: JSONValue?, path: String) -> EntryView? {
    guard let value, !value.isNull else { return nil }
    do throws(Mistake) {
      let view = try view(value)
      guard view.byteCount <= MarkupLimits.bytesMax else {
        throw Mistake(
          sort: .entryTooLarge,
          message:
            "light and dark have \(view.byteCount) bytes together; at most \(MarkupLimits.bytesMax) of an entry are shown"
        )
      }
      guard view.byteCount <= bytesLeft else {
        throw Mistake(
          sort: .timelineTooLarge,
          message:
            "the views of a timeline have at most \(Limits.timelineViewBytesMax) bytes, and this one is beyond; make them smaller, or give fewer entries"
        )
      }
      bytesLeft -= view.byteCount
      return view
    } catch {
      note(error, path)
      return nil
    }
  }

  private mutating func view(_ value: JSONValue) throws(Mistake) -> EntryView {
    if let text = value.stringValue { return EntryView(light: try markup(text, "")) }
    guard let light = value["light"]?.stringValue, let dark = value["dark"]?.stringValue else {
      let said = value.objectValue == nil ? value.typeName : "an object without light and dark"
      throw Mistake(
        sort: .form,
        message:
          "it is \(said); expected markup such as \"<div>22°</div>\", or {\"light\":\"…\",\"dark\":\"…\"}"
      )
    }
    return EntryView(light: try markup(light, "light: "), dark: try markup(dark, "dark: "))
  }

  private mutating func markup(_ text: String, _ place: String) throws(Mistake) -> String {
    let read: Result<String, MarkupError>
    if let same = known[text] {
      read = same
    } else {
      read = MarkupReader.read(text).map { $0.withoutLiveTexts.html }
      // Longer ones are refused at once, and are not worth the room.
      if text.utf8.count <= MarkupLimits.bytesMax { known[text] = read }
    }
    switch read {
    case .success(let html): return html
    case .failure(let error):
      let hasPlace = error.code == .syntax || error.code == .tooLarge
      throw Mistake(
        sort: .markup(error.code),
        message: place + error.message + (hasPlace ? "" : ", at byte \(error.offset)"))
    }
  }

  private mutating func note(_ mistake: Mistake, _ path: String) {
    if let index = found.firstIndex(where: { $0.sort == mistake.sort }) {
      found[index].count += 1
    } else {
      found.append((mistake.sort, "\(path) is left out: \(mistake.message)", 1))
    }
  }
}
