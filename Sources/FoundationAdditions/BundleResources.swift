public import Foundation

// On iOS an extension is one bundle. Here the main bundle is the folder of the program, and SwiftPM
// puts the resources of each target into a bundle of their own beside it. So the main bundle looks
// there too. An overload that takes a `String` wins over that of Foundation, which takes a `String?`.

extension Bundle {
  /// Returns the URL of a file of this bundle; `nil`: there is none.
  ///
  /// Of the main bundle also a file in the resources of the package's targets. Source: Foundation.
  public func url(forResource name: String, withExtension ext: String?) -> URL? {
    url(forResource: name, withExtension: ext, subdirectory: nil)
  }

  /// Returns the URL of a file in a folder of this bundle; `nil`: there is none.
  ///
  /// Of the main bundle also a file in the resources of the package's targets. Source: Foundation.
  public func url(
    forResource name: String, withExtension ext: String?, subdirectory subpath: String?
  ) -> URL? {
    for bundle in isMain ? [self] + Self.ofTargets : [self] {
      let found = bundle.url(
        forResource: Optional(name), withExtension: ext, subdirectory: subpath)
      if let found { return found }
    }
    return nil
  }

  /// Returns the path of a file of this bundle; `nil`: there is none.
  ///
  /// Of the main bundle also a file in the resources of the package's targets. Source: Foundation.
  public func path(forResource name: String, ofType ext: String?) -> String? {
    url(forResource: name, withExtension: ext)?.path
  }

  private var isMain: Bool { self === Bundle.main }

  /// The bundles of the package's targets beside the program.
  private static var ofTargets: [Bundle] {
    Translations.ownFolders.dropFirst().compactMap { Bundle(path: $0) }
  }
}
