public import Foundation

/// A symbol, or a picture of the author's own.
///
/// Source: SwiftUI.
public struct Image: Equatable, Sendable {
  enum Source: Equatable, Sendable {
    case symbol(String)
    case asset(name: String, label: String)
    case file(String, label: String)
    case bytes(Data)
  }

  var source: Source
  var isResizable = false
  var isTemplate = false

  private init(source: Source) { self.source = source }

  /// A symbol of the system, by its name.
  public init(systemName: String) { source = .symbol(systemName) }

  /// A symbol of the system of which a part is drawn.
  public init(systemName: String, variableValue: Double?) { source = .symbol(systemName) }

  /// The image of that name in the assets.
  public init(_ name: String, bundle: Bundle? = nil) {
    AssetCatalog.note(bundle)
    source = .asset(name: name, label: name)
  }

  /// The image of that name in the assets, with words for it.
  public init(_ name: String, bundle: Bundle? = nil, label: Text) {
    AssetCatalog.note(bundle)
    source = .asset(name: name, label: label.plainText)
  }

  /// The image of that name in the assets of which a part is drawn.
  public init(_ name: String, variableValue: Double?, bundle: Bundle? = nil) {
    self.init(name, bundle: bundle)
  }

  /// An image that only decorates.
  public init(decorative name: String, bundle: Bundle? = nil) {
    AssetCatalog.note(bundle)
    source = .asset(name: name, label: "")
  }

  /// The image of a resource.
  public init(_ resource: ImageResource) { self.init(resource.name, bundle: resource.bundle) }

  /// The picture of UIKit.
  public init(uiImage: UIImage) {
    switch uiImage.source {
    case .file(let file): source = .file(file, label: "")
    case .bytes(let data): source = .bytes(data)
    case .symbol(let name): source = .symbol(name)
    }
  }

  /// How an image fills its room.
  public enum ResizingMode: Hashable, Sendable {
    case tile
    case stretch
  }

  /// How an image uses its colours.
  public enum TemplateRenderingMode: Hashable, Sendable {
    case template
    case original
  }

  /// The size of a symbol beside text.
  public enum Scale: Hashable, Sendable {
    case small
    case medium
    case large
  }

  /// How pixels are mixed.
  public enum Interpolation: Hashable, Sendable {
    case none
    case low
    case medium
    case high
  }

  /// How a picture is turned.
  public enum Orientation: UInt8, CaseIterable, Hashable, Sendable {
    case up = 0
    case upMirrored = 2
    case down = 6
    case downMirrored = 4
    case left = 1
    case leftMirrored = 5
    case right = 7
    case rightMirrored = 3
  }

  /// Lets the image fill its room.
  public func resizable(
    capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch
  ) -> Image {
    var image = self
    image.isResizable = true
    return image
  }

  /// Sets how the image uses its colours.
  public func renderingMode(_ renderingMode: TemplateRenderingMode?) -> Image {
    var image = self
    image.isTemplate = renderingMode == .template
    return image
  }

  /// The surface decides how pixels are mixed.
  public func interpolation(_ interpolation: Interpolation) -> Image { self }

  /// The surface decides how edges are drawn.
  public func antialiased(_ isAntialiased: Bool) -> Image { self }

  /// Symbols are drawn in one colour.
  public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { self }

  /// The surface draws no widget in its accent colour.
  public func widgetAccentedRenderingMode(
    _ renderingMode: WidgetAccentedRenderingMode?
  ) -> some View { self }

  /// The image within a text.
  var run: TextRun.Content {
    switch source {
    case .symbol(let name): .symbol(name)
    case .asset, .file, .bytes: .asset(picture)
    }
  }

  private var picture: AssetPicture {
    switch source {
    case .symbol(let name):
      AssetPicture(name: name, label: "", isResizable: isResizable, isTemplate: isTemplate)
    case .asset(let name, let label):
      AssetPicture(
        name: name, label: label, file: AssetCatalog.image(named: name), isResizable: isResizable,
        isTemplate: isTemplate)
    case .bytes(let data):
      AssetPicture(
        name: "", label: "", bytes: data, isResizable: isResizable, isTemplate: isTemplate)
    case .file(let file, let label):
      AssetPicture(
        name: file, label: label, file: file, isResizable: isResizable, isTemplate: isTemplate)
    }
  }
}

extension Image: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    if case .symbol(let name) = source {
      return evaluation.append(
        ViewNode(.symbol(SymbolPicture(name: name, isResizable: isResizable))))
    }
    let picture = picture
    if picture.file == nil, picture.bytes == nil {
      evaluation.warn(
        "no image is called '\(picture.name)'; put its .xcassets into the resources of the target")
    }
    evaluation.append(ViewNode(.asset(picture)))
  }
}

extension Text {
  /// The words without styles, in the environment of now.
  package var plainText: String {
    runs(in: .current).map { run in
      if case .text(let text) = run.content { text } else { "" }
    }.joined()
  }
}

/// How symbols use colours; they are drawn in one.
public struct SymbolRenderingMode: Hashable, Sendable {
  private let name: String

  /// In one colour.
  public static let monochrome = SymbolRenderingMode(name: "monochrome")
  /// In levels of one colour.
  public static let hierarchical = SymbolRenderingMode(name: "hierarchical")
  /// In several colours.
  public static let palette = SymbolRenderingMode(name: "palette")
  /// In colours of its own.
  public static let multicolor = SymbolRenderingMode(name: "multicolor")
}

/// The variants of symbols; the name decides alone.
public struct SymbolVariants: Hashable, Sendable {
  private let name: String

  /// As it is.
  public static let none = SymbolVariants(name: "none")
  /// In a circle.
  public static let circle = SymbolVariants(name: "circle")
  /// In a square.
  public static let square = SymbolVariants(name: "square")
  /// In a rectangle.
  public static let rectangle = SymbolVariants(name: "rectangle")
  /// Filled.
  public static let fill = SymbolVariants(name: "fill")
  /// With a slash.
  public static let slash = SymbolVariants(name: "slash")
  /// The variant in a circle.
  public var circle: SymbolVariants { self }
  /// The variant, filled.
  public var fill: SymbolVariants { self }
}
