// The handling protocol. A handler writes a method with a completion or its `async` form; the
// protocol has both, and an extension makes each one that the handler left out.

extension SwiftText {
  mutating func writeHandling(of intent: DefinedTypes.Intent) {
    let type = intent.typeName
    line()
    comment("What answers for \(type).")
    block("nonisolated public protocol \(type)Handling: NSObjectProtocol") { text in
      for method in methods(of: intent) { text.line(method.declaration) }
    }
    line()
    block("nonisolated extension \(type)Handling") { text in
      for (index, method) in methods(of: intent).enumerated() {
        if index > 0 { text.line() }
        text.block("public \(method.declaration)") { text in
          for line in method.body { text.line(line) }
        }
      }
    }
  }

  /// How the runtime has an intent done.
  private mutating func performing(_ intent: DefinedTypes.Intent) {
    line()
    line("public override func _perform(")
    line("  by handler: Any, completion: @escaping @Sendable (INIntent._Answer) -> Void")
    block(") -> Bool") { text in
      text.line("guard let handler = handler as? any \(intent.typeName)Handling else {")
      text.line("  return false")
      text.line("}")
      text.line("INIntent._answer(to: completion) {")
      text.line("  handler.confirm(intent: self, completion: $0)")
      text.line("} handle: {")
      text.line("  handler.handle(intent: self, completion: $0)")
      text.line("}")
      text.line("return true")
    }
    line()
    block("public override func _isHandled(by handler: Any) -> Bool") { text in
      text.line("handler is any \(intent.typeName)Handling")
    }
  }

  /// How the runtime asks a handler, whose protocol it does not know.
  mutating func handlerCalls(of intent: DefinedTypes.Intent) {
    performing(intent)
    let parameters = intent.parameters.filter(\.isDynamic)
    guard !parameters.isEmpty else { return }
    line()
    line("public override func _provideOptions(")
    line("  for parameter: String, search: String?, from handler: Any,")
    line("  completion: @escaping @Sendable (Result<[INObject], any Error>) -> Void")
    block(") -> Bool") { text in
      text.line("guard let handler = handler as? any \(intent.typeName)Handling else {")
      text.line("  return false")
      text.line("}")
      text.line("switch parameter {")
      for parameter in parameters {
        let search = parameter.isSearched ? "searchTerm: search, " : ""
        text.line("case \(literal(parameter.name)):")
        text.line("  INIntent._offer(to: completion) {")
        text.line(
          "    handler.provide\(capitalized(parameter.name))OptionsCollection("
            + "for: self, \(search)with: $0)")
        text.line("  }")
      }
      text.line("default: return false")
      text.line("}")
      text.line("return true")
    }
    line()
    line("public override func _defaultValue(")
    line("  for parameter: String, from handler: Any")
    block(") -> INIntent.Value?") { text in
      text.line("guard let handler = handler as? any \(intent.typeName)Handling else {")
      text.line("  return nil")
      text.line("}")
      text.line("let _given = \(intent.typeName)()")
      text.line("switch parameter {")
      for parameter in parameters {
        text.line(
          "case \(literal(parameter.name)): _given.\(marked(parameter.name)) = "
            + "handler.default\(capitalized(parameter.name))(for: self)")
      }
      text.line("default: return nil")
      text.line("}")
      text.line("return _given._values?[parameter]")
    }
  }
}

/// A handler and an intent are bound to no thread, but Swift cannot know that Apple's completions are
/// called from any.
private let unsafeCopies = "nonisolated(unsafe) let (_self, _intent) = (self, intent)"

private struct Method {
  var declaration: String
  var body: [String]
}

private func methods(of intent: DefinedTypes.Intent) -> [Method] {
  let (type, response) = (intent.typeName, "\(intent.typeName)Response")
  var methods: [Method] = []
  for parameter in intent.parameters where parameter.isResolved {
    let name = "resolve\(capitalized(parameter.name))"
    let result =
      parameter.hasOwnResult
      ? "\(intent.stem)\(capitalized(parameter.name))ResolutionResult" : parameter.type.resultType
    methods += forms(
      name, "for intent: \(type)", "with", parameter.isArray ? "[\(result)]" : result,
      call: "for: _intent",
      otherwise: parameter.isArray ? "[.notRequired()]" : ".notRequired()")
  }
  for parameter in intent.parameters where parameter.isDynamic {
    methods += optionMethods(parameter, of: type)
  }
  methods += forms(
    "confirm", "intent: \(type)", "completion", response, call: "intent: _intent",
    otherwise: "\(response)(code: .ready, userActivity: nil)")
  methods += forms(
    "handle", "intent: \(type)", "completion", response, call: "intent: _intent",
    otherwise: "\(response)(code: .failure, userActivity: nil)")
  return methods
}

/// The two forms of a method that always answers.
private func forms(
  _ name: String, _ intent: String, _ label: String, _ answer: String, call: String,
  otherwise: String
) -> [Method] {
  let completion = label == "completion" ? label : "\(label) completion"
  return [
    Method(
      declaration: "func \(name)(\(intent), \(completion): @escaping (\(answer)) -> Void)",
      body: [unsafeCopies, "_complete(completion) { await _self.\(name)(\(call)) }"]),
    Method(declaration: "func \(name)(\(intent)) async -> \(answer)", body: [otherwise]),
  ]
}

/// The methods that offer values: a collection, in two forms, and the list of the years before it.
private func optionMethods(_ parameter: DefinedTypes.Property, of type: String) -> [Method] {
  let title = capitalized(parameter.name)
  let (option, list) = (parameter.type.optionType, "provide\(title)Options")
  let collection = "INObjectCollection<\(option)>"
  // The list was of values, where the collection is of objects.
  let element = parameter.type.objectType
  let (search, call) =
    parameter.isSearched
    ? (", searchTerm: String?", "for: _intent, searchTerm: searchTerm")
    : ("", "for: _intent")
  let isSame = option == element
  return [
    Method(
      declaration: "func \(list)Collection(for intent: \(type)\(search), "
        + "with completion: @escaping (\(collection)?, (any Error)?) -> Void)",
      body: [unsafeCopies, "_complete(completion) { try await _self.\(list)Collection(\(call)) }"]),
    Method(
      declaration: "func \(list)Collection(for intent: \(type)\(search)) "
        + "async throws -> \(collection)",
      body: isSame
        ? ["try await _collection { self.\(list)(for: intent, with: $0) }"]
        : [
          "try await _collection(as: \(option).self) { self.\(list)(for: intent, with: $0) }"
        ]),
    Method(
      declaration: "func \(list)(for intent: \(type), "
        + "with completion: @escaping ([\(element)]?, (any Error)?) -> Void)",
      body: ["completion(nil, nil)"]),
    Method(
      declaration: "func default\(title)(for intent: \(type)) -> \(parameter.swiftType)",
      body: [parameter.swiftType.hasSuffix("?") ? "nil" : "\(type)().\(marked(parameter.name))"]),
  ]
}
