/// The reason why a tool did not do what it was asked, and what the person can do.
struct ToolRefusal: Error, Hashable {
  /// A sentence, which may quote others and is cleaned when it is printed.
  var message: String
  /// Lines that say what to do next.
  var advice: [String] = []
  /// The exit status: 1, or 4 for a question that a person has to answer first.
  var status: Int32 = 1
  /// Whether a person said no: nothing went wrong.
  var isAnswer = false

  init(_ message: String, _ advice: String..., status: Int32 = 1) {
    self.message = message
    self.advice = advice
    self.status = status
  }
}
