import IntentProtocol
import JSON
import PlainText

extension Daemon {
  /// Returns the kind that a person means: its id, or the last part of it where only one kind ends
  /// so, as `try` and `simulate` take it.
  ///
  /// A word that no kind has stays as it is, and the daemon says what is wrong with it.
  mutating func kind(meantBy word: String) throws(Failure) -> String {
    let kinds = (try ask(.galleryList)["kinds"]?.arrayValue ?? [])
      .compactMap { $0["kind"]?.stringValue }
    guard !kinds.contains(word) else { return word }
    let meant = kinds.filter { isShortForm(word, ofKind: $0) }
    guard meant.count > 1 else { return meant.first ?? word }
    throw Failure(
      status: .usage, message: severalKinds(word, meant.map { printable($0) }),
      hints: ["all kinds: intent-send gallery"])
  }
}
