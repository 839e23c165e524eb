/// The pictures of widgets as the page's server gives them.
///
/// The address of a picture is its hash, so what is there never changes, and a browser that has it
/// need not be given it again.
package enum PagePicture {
  /// The types of the web by the daemon's names.
  private static let types = [
    "png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "svg": "image/svg+xml",
  ]

  /// Returns 304 if the browser has the picture with this hash; `nil`: it does not say so.
  package static func unchanged(_ hash: String, for request: WebRequest) -> WebAnswer? {
    guard let known = request.header("if-none-match"), PanelAnswer.names(known, hash) else {
      return nil
    }
    return WebAnswer(empty: 304, head: fields(hash))
  }

  /// Returns the picture; `nil`: the page shows no such type.
  ///
  /// The policy of every answer lets no script run, also when a person opens the picture of a widget
  /// by itself.
  package static func answer(_ hash: String, type: String, _ bytes: [UInt8]) -> WebAnswer? {
    types[type].map { WebAnswer(200, $0, bytes, head: fields(hash)) }
  }

  private static func fields(_ hash: String) -> [WebRequest.Field] {
    [
      WebRequest.Field("ETag", "\"\(hash)\""),
      WebRequest.Field("Cache-Control", "private, max-age=86400, immutable"),
    ]
  }
}
