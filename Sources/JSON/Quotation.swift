/// Returns `text` in quotation marks, for a message: `'weather'`.
///
/// A name in a request may be as long as the request, and an answer that quotes it must not be: of
/// a long text the first `Limits.quotedScalarsMax` scalars are left, and `…`. Characters are not
/// counted, because marks without number pile up on one.
package func quoted(_ text: some StringProtocol) -> String {
  let scalars = text.unicodeScalars
  guard scalars.dropFirst(Limits.quotedScalarsMax).isEmpty else {
    return "'\(String(String.UnicodeScalarView(scalars.prefix(Limits.quotedScalarsMax))))…'"
  }
  return "'\(text)'"
}
