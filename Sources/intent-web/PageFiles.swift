import WebPages

/// The files of the page, which are part of the program.
enum PageFiles {
  static var page: WebAnswer {
    WebAnswer(
      200, "text/html; charset=utf-8", PackageResources.page_html,
      head: [WebRequest.Field("Cache-Control", "no-store")])
  }

  static func answer(_ file: PageFile) -> WebAnswer {
    let bytes =
      switch file {
      case .style: PackageResources.page_css
      case .script: PackageResources.page_js
      case .shared: PackageResources.shared_js
      case .view: PackageResources.view_js
      case .mark: PackageResources.mark_svg
      }
    return WebAnswer(
      200, file.type, bytes, head: [WebRequest.Field("Cache-Control", "no-cache")])
  }
}
