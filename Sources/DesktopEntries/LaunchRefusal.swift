/// The reason why an application is not opened.
package struct LaunchRefusal: Error, Hashable, Sendable {
  /// The reason as a word for programs.
  ///
  /// It is a part of the wire's contract.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no application for the URL, or it cannot be used.
    case noHandler = "no-handler"
    case noScheme = "no-scheme"
    case schemeDenied = "scheme-denied"
    case controlCharacter = "control-char"
    case tooLong = "too-long"
    /// `Exec` has an unknown field code, or one in a wrong place.
    case badFieldCode = "bad-field-code"
    case multipleURLCodes = "multiple-url-codes"
    /// The application would start without the URL.
    case handlerTakesNoURL = "handler-takes-no-url"
    /// The URL would become a part of a program.
    case shellInjection = "shell-injection"
    /// `Path` is relative, or it is no directory.
    case badPath = "bad-path"
    /// The application is one that opens URLs by asking the desktop, or this service.
    case loop = "loop"
    /// The application runs in a terminal, and no program that starts one was found.
    case noTerminal = "no-terminal"
  }

  package var code: Code
  /// One line that names the event, the application and the remedy.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
