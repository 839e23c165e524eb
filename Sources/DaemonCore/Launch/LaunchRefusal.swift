/// Why an application is not opened.
package struct LaunchRefusal: Error, Hashable, Sendable {
  /// The reason as a word that a program can read; part of the contract.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// No application is there for it, or the one that is cannot be used.
    case noHandler = "no-handler"
    case noScheme = "no-scheme"
    case schemeDenied = "scheme-denied"
    case controlCharacter = "control-char"
    case tooLong = "too-long"
    /// `Exec` has an unknown field code, or one where it may not stand.
    case badFieldCode = "bad-field-code"
    case multipleURLCodes = "multiple-url-codes"
    /// The application would start without the URL.
    case handlerTakesNoURL = "handler-takes-no-url"
    /// The URL would become a part of a program.
    case shellInjection = "shell-injection"
    /// `Path` is relative, or no directory.
    case badPath = "bad-path"
    /// The application is one that opens URLs by asking the desktop, or this service.
    case loop = "loop"
    /// It runs in a terminal, and nothing here starts one.
    case noTerminal = "no-terminal"
  }

  package var code: Code
  /// What happened, to what, and what to do: one line.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
