// Writes the Swift code of a definition file, as Xcode does for an app: a class for each intent with a
// class for its response and a protocol for its handler, enumerations, and classes of objects.
//
// The forms of names and signatures are Xcode's, because an extension's code depends on them. Two
// things are ours. An optional method of the protocol is a method with an implementation, since Swift
// has optional ones for Objective-C alone. And each class says how it reads and writes the values of
// the wire, which iOS does by looking at the class while it runs.

/// Returns the Swift code of a definition file's types.
///
/// `file` is the name for the comment at the top; `definition` is the text of the file, which the
/// program carries for the daemon.
package func writeClasses(of types: DefinedTypes, file: String, definition: String) -> String {
  var text = SwiftText()
  text.line("// Made of \(file) by the plugin IntentDefinitions; each build makes it anew.")
  text.line("// swift-format-ignore-file")
  text.line()
  guard !types.intents.isEmpty || !types.objects.isEmpty || !types.enumerations.isEmpty else {
    text.line("// The file defines nothing.")
    return text.text
  }
  text.line("public import Intents")
  for enumeration in types.enumerations { text.write(enumeration) }
  for object in types.objects { text.write(object) }
  for intent in types.intents {
    text.write(intent)
    text.writeHandling(of: intent)
    text.writeResponse(of: intent)
    text.writeResolution(of: intent)
  }
  if !types.intents.isEmpty {
    text.line()
    text.block("nonisolated private enum DefinitionFile") { text in
      text.longLiteral("static let text = ", definition)
    }
  }
  return text.text
}

extension SwiftText {
  // MARK: Enumerations and objects

  fileprivate mutating func write(_ enumeration: DefinedTypes.Enumeration) {
    let type = enumeration.typeName
    line()
    comment(enumeration.title.isEmpty ? type : enumeration.title)
    block("nonisolated public enum \(type): Int, Sendable, _DefinedEnumeration") { text in
      for value in enumeration.cases { text.line("case \(marked(value.name)) = \(value.index)") }
      text.line()
      text.block("public static var _cases: [(name: String, value: \(type))]") { text in
        text.line("[")
        for value in enumeration.cases {
          text.line("  (\(literal(value.name)), .\(marked(value.name))),")
        }
        text.line("]")
      }
    }
    line()
    comment("How a value of \(type) was taken.")
    block("nonisolated public class \(type)ResolutionResult: INEnumResolutionResult") { text in
      text.result("success", "resolvedValue: \(type)", "success")
      text.result("confirmationRequired", "valueToConfirm: \(type)", "confirmation")
    }
  }

  fileprivate mutating func write(_ object: DefinedTypes.Object) {
    let type = object.typeName
    line()
    comment(object.title.isEmpty ? type : object.title)
    block("nonisolated public class \(type): INObject") { text in
      text.properties(object.properties)
      text.wire(object.properties, of: "property", isIntent: false)
    }
    line()
    comment("How a value of \(type) was taken.")
    block("nonisolated public class \(type)ResolutionResult: INObjectResolutionResult") { text in
      text.result("success", "resolvedObject: \(type)", "success")
      text.result("disambiguation", "objectsToDisambiguate: [\(type)]", "disambiguation")
      text.result("confirmationRequired", "objectToConfirm: \(type)?", "confirmation")
    }
  }

  private mutating func result(_ name: String, _ parameter: String, _ outcome: String) {
    line("public class func \(name)(with \(parameter)) -> Self { Self(outcome: .\(outcome)) }")
  }

  // MARK: Intents

  fileprivate mutating func write(_ intent: DefinedTypes.Intent) {
    line()
    comment(intent.title.isEmpty ? intent.name : intent.title)
    block("nonisolated public class \(intent.typeName): INIntent") { text in
      text.properties(intent.parameters)
      text.line("public override class var _intentName: String { \(literal(intent.name)) }")
      text.line("public override class var _definition: String? { DefinitionFile.text }")
      text.line()
      text.wire(intent.parameters, of: "parameter", isIntent: true)
      text.copying(intent)
      text.handlerCalls(of: intent)
    }
  }

  /// A copy has the same objects, and not what the wire makes of them.
  private mutating func copying(_ intent: DefinedTypes.Intent) {
    guard !intent.parameters.isEmpty else { return }
    line()
    block("public override func copy(with zone: NSZone? = nil) -> Any") { text in
      text.line("let copy = super.copy(with: zone)")
      text.line("guard let own = copy as? \(intent.typeName) else { return copy }")
      for parameter in intent.parameters {
        text.line("own.\(marked(parameter.name)) = self.\(marked(parameter.name))")
      }
      text.line("return own")
    }
  }

  fileprivate mutating func properties(_ properties: [DefinedTypes.Property]) {
    for property in properties {
      if !property.title.isEmpty { comment(property.title) }
      line("public var \(marked(property.name)): \(property.swiftType)\(property.initialValue)")
    }
    if !properties.isEmpty { line() }
  }

  /// How the class writes its properties.
  private mutating func values(of properties: [DefinedTypes.Property], isOptional: Bool) {
    let dictionary = "[String: INIntent.Value]"
    block("public override var _values: \(dictionary)\(isOptional ? "?" : "")") { text in
      guard !properties.isEmpty else { return text.line("[:]") }
      text.line("var _all: \(dictionary) = [:]")
      for property in properties {
        text.line("_all[\(literal(property.name))] = \(property.written)")
      }
      text.line("return _all.filter { $0.value != INIntent.Value.none }")
    }
  }

  /// How the class reads and writes its properties.
  private mutating func wire(
    _ properties: [DefinedTypes.Property], of label: String, isIntent: Bool
  ) {
    guard isIntent || !properties.isEmpty else { return }
    values(of: properties, isOptional: isIntent)
    line()
    block("public override func _set(_ value: INIntent.Value, for \(label): String) -> Bool") {
      text in
      guard !properties.isEmpty else { return text.line("false") }
      text.line("switch \(label) {")
      for property in properties {
        text.line("case \(literal(property.name)): return \(property.stored)")
      }
      text.line("default: return false")
      text.line("}")
    }
  }

  // MARK: Responses

  fileprivate mutating func writeResponse(of intent: DefinedTypes.Intent) {
    let type = "\(intent.typeName)Response"
    let ownCodes = intent.response.codes.filter { !standardCodes.contains($0.name) }
    line()
    comment("How \(intent.typeName) went.")
    block("nonisolated public enum \(type)Code: Int, Sendable") { text in
      for (index, code) in standardCodes.enumerated() { text.line("case \(code) = \(index)") }
      for (index, code) in ownCodes.enumerated() {
        text.line("case \(marked(code.name)) = \(100 + index)")
      }
    }
    line()
    comment("The answer to \(intent.typeName).")
    block("nonisolated public class \(type): INIntentResponse") { text in
      text.properties(intent.response.parameters)
      text.line("public fileprivate(set) var code: \(type)Code = .unspecified")
      text.line()
      text.block(
        "public convenience init(code: \(type)Code, userActivity: NSUserActivity?)"
      ) { text in
        text.line("self.init()")
        text.line("self.code = code")
        text.line("self.userActivity = userActivity")
      }
      text.line()
      text.line("public override var _code: String { \"\\(code)\" }")
      text.sentences(of: intent.response)
      for code in intent.response.codes where !code.named.isEmpty {
        let parameters = code.named.compactMap { name in
          intent.response.parameters.first { $0.name == name }
        }
        let list = parameters.map { "\($0.name): \($0.requiredType)" }.joined(separator: ", ")
        text.line()
        text.block("public static func \(marked(code.name))(\(list)) -> \(type)") { text in
          text.line(
            "let _response = \(type)(code: .\(marked(code.name)), userActivity: nil)")
          for parameter in parameters {
            text.line("_response.\(marked(parameter.name)) = \(marked(parameter.name))")
          }
          text.line("return _response")
        }
      }
    }
  }

  /// What the runtime tells of a response: its values and the sentences of its codes.
  private mutating func sentences(of response: DefinedTypes.Response) {
    let successes = response.codes.filter { $0.isSuccess && !standardCodes.contains($0.name) }
    if !successes.isEmpty {
      let names = successes.map { literal($0.name) }.joined(separator: ", ")
      line("public override var _successes: Set<String> { [\(names)] }")
    }
    let spoken = response.codes.filter { !$0.sentence.isEmpty }
    if !spoken.isEmpty {
      block("public override var _sentences: [String: String]") { text in
        text.line("[")
        for code in spoken {
          text.line("  \(literal(code.name)): \(literal(code.sentence)),")
        }
        text.line("]")
      }
    }
    guard !response.parameters.isEmpty else { return }
    values(of: response.parameters, isOptional: false)
  }

  /// A parameter with reasons of its own against a value has a result of its own.
  fileprivate mutating func writeResolution(of intent: DefinedTypes.Intent) {
    for parameter in intent.parameters where parameter.hasOwnResult {
      let stem = intent.stem + capitalized(parameter.name)
      line()
      comment("Why a value of \(parameter.name) is refused.")
      block("nonisolated public enum \(stem)UnsupportedReason: Int, Sendable") { text in
        for (index, reason) in parameter.reasons.enumerated() {
          text.line("case \(marked(reason)) = \(index + 1)")
        }
      }
      line()
      comment("How a value of \(parameter.name) was taken.")
      block(
        "nonisolated public class \(stem)ResolutionResult: \(parameter.type.resultType)"
      ) { text in
        text.line(
          "public class func unsupported(forReason reason: \(stem)UnsupportedReason) -> Self {")
        text.line("  Self(outcome: .unsupported)")
        text.line("}")
      }
    }
  }
}

/// The codes of every response, in the order of their numbers.
private let standardCodes = [
  "unspecified", "ready", "continueInApp", "inProgress", "success", "failure",
  "failureRequiringAppLaunch",
]
