package import IntentProtocol
import JSON
import JSONRPC

/// The person's session as a surface describes it: the variables by which a program reaches the
/// surface's screen, and whether it is dark there.
///
/// It is passed on to the shell and kept nowhere else: neither in the store, nor in a log, nor in
/// an answer.
package struct SurfaceSession: Hashable, Sendable {
  /// A variable with its value, which is not empty.
  package struct Variable: Hashable, Sendable {
    package var name: SessionVariable
    package var value: String

    package init(_ name: SessionVariable, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The variables, in the order of `SessionVariable`; `nil`: the surface says nothing of them.
  package var variables: [Variable]?
  /// Whether the surface is dark; `nil`: it does not say.
  package var isDark: Bool?

  package init(variables: [Variable]? = nil, isDark: Bool? = nil) {
    self.variables = variables
    self.isDark = isDark
  }

  /// Reads `session` and `appearance` of `surface.attach`; `nil` if both are missing.
  ///
  /// An empty value, and `null`, is as good as none. Throws for a name that is no variable of a
  /// session, and for a value that is no text, longer than `WireLimits.sessionValueBytesMax` or has
  /// control characters. The message repeats no value.
  init?(_ params: Params) throws(RPCError) {
    let appearance = try params.optionalString("appearance")
    switch appearance {
    case nil: isDark = nil
    case "dark": isDark = true
    case "light": isDark = false
    case .some(let other):
      throw Params.refusal(
        "appearance", "\(quoted(other)) is no appearance", expected: "dark or light")
    }
    guard let object = try params.optionalObject("session") else {
      if appearance == nil { return nil }
      return
    }
    var values: [SessionVariable: String] = [:]
    for member in object.members {
      let (name, value) = (member.key, member.value)
      guard let variable = SessionVariable(rawValue: name) else {
        let names = SessionVariable.allCases.map(\.rawValue)
        let near = didYouMean(nearest(to: name, among: names, countMax: 1))
        throw Params.refusal(
          "session", "\(quoted(name)) is no variable of a session\(near)",
          expected: "some of \(names.joined(separator: ", "))")
      }
      if value.isNull { continue }
      guard case .string(let text) = value, SessionVariable.canBe(text) else {
        throw Params.refusal(
          "session", "the value of \(name) cannot be taken",
          expected:
            "a text of at most \(WireLimits.sessionValueBytesMax) bytes without control characters")
      }
      if !text.isEmpty { values[variable] = text }
    }
    variables = SessionVariable.allCases.compactMap { name in
      values[name].map { Variable(name, $0) }
    }
  }
}
