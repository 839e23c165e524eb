import AppIntents
import JSON
package import WidgetExtension

/// A value that a parameter needs and does not have: nobody gave one, or the one that was given is
/// none of it.
///
/// To read such a parameter would end the program, and with it the widgets of its neighbours. So the
/// request alone is refused.
package struct ParameterProblem: Error, Hashable, Sendable {
  /// The name of the parameter.
  package var parameter: String
  /// The sentence for a person: "no plant is called 'Basil'; there are Mint, Rose".
  package var sentence: String

  /// The refusal of an intent that is to be performed.
  var ofPerform: ExtensionError { ExtensionError(.failed, sentence) }

  /// The refusal of an entry, with the way to give the widget a value.
  package var ofEntry: ExtensionError {
    ExtensionError(
      .failed, "\(sentence); choose one: intent-send configure WIDGET --set \(parameter)=…")
  }

  /// Nobody gave a value.
  static func missing(_ name: String, _ parameter: any AnyIntentParameter) async -> Self {
    Self(
      parameter: name,
      sentence: "it needs '\(parameter.label(name))', and nobody gave one"
        + (await parameter.choices()))
  }

  /// The value that was given is none of the parameter.
  static func refused(
    _ given: JSONValue, _ name: String, _ parameter: any AnyIntentParameter
  ) async -> Self {
    let words = given["display"]?.stringValue ?? given.stringValue ?? given.serialized
    let label = parameter.label(name)
    let sentence =
      parameter.isOfEntities
      ? "no \(label.lowercased()) is called '\(words.prefix(80))'"
      : "'\(words.prefix(80))' is no value of '\(label)'"
    return Self(parameter: name, sentence: sentence + (await parameter.choices()))
  }

  /// The query failed.
  static func failed(_ error: any Error, _ name: String, _ label: String) -> Self {
    Self(parameter: name, sentence: "the value of '\(label)' was not found: \(describe(error))")
  }
}

extension AnyIntentParameter {
  /// The name for people.
  fileprivate func label(_ name: String) -> String {
    traits.title.map { String(localized: $0) } ?? name
  }

  private var elementShape: _IntentType.Shape {
    if case .list(let element) = type.shape { element } else { type.shape }
  }

  fileprivate var isOfEntities: Bool {
    if case .entity = elementShape { true } else { false }
  }

  /// The first values that there are, for the end of a sentence; nothing where nobody knows any.
  fileprivate func choices() async -> String {
    var words: [String] = []
    if case .enumeration(_, let cases) = elementShape {
      words = cases.map(\.name)
    } else if let source = optionsSource {
      do {
        words = try await source.options(matching: nil).map(\.title)
      } catch {
        // The sentence says what is wrong; without the values it still does.
        return ""
      }
    }
    guard !words.isEmpty else { return "" }
    let shown = words.prefix(Limits.namedValueCountMax).joined(separator: ", ")
    return "; there \(words.count == 1 ? "is" : "are") \(shown)"
      + (words.count > Limits.namedValueCountMax ? ", …" : "")
  }

  /// Takes a value of the daemon; returns the problem with it, or with an element of it.
  func take(_ given: JSONValue, as name: String) async -> ParameterProblem? {
    do {
      guard try await set(given) else { return await .refused(given, name, self) }
      guard type.isList else { return nil }
      // A list leaves out what it does not know.
      let elements = given.arrayValue ?? [given]
      guard argument?.arrayValue?.count != elements.count else { return nil }
      for element in elements {
        guard try await set(.array([element])), argument?.arrayValue?.isEmpty == false else {
          _ = try await set(given)
          return await .refused(element, name, self)
        }
      }
      _ = try await set(given)
      return nil
    } catch {
      return .failed(error, name, label(name))
    }
  }
}
