public import Foundation

// SwiftUI of iOS brings UIKit with it, and widgets use two of its classes: `UIColor` for the colours
// of the system, and `UIImage` for pictures that the provider loaded. A file that imports UIKit
// itself is out of reach.

/// A colour of UIKit, for `Color(uiColor:)`.
public final class UIColor: Hashable, Sendable {
  let value: ColorValue

  init(name: NamedColor) { value = .named(name) }

  init(value: ColorValue) { self.value = value }

  /// Makes a colour of red, green and blue, each from 0 to 1.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    value = .rgb(RGB(Double(red), Double(green), Double(blue), alpha: Double(alpha)))
  }

  /// Makes a grey from black, 0, to white, 1.
  public init(white: CGFloat, alpha: CGFloat) {
    value = .rgb(RGB(Double(white), Double(white), Double(white), alpha: Double(alpha)))
  }

  /// Takes a colour of SwiftUI.
  public init(_ color: Color) { value = color.value }

  /// The colour of that name in the assets.
  public init?(named name: String) {
    guard AssetCatalog.color(named: name) != nil else { return nil }
    value = .asset(name)
  }

  /// The colour, more transparent.
  public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    UIColor(value: .faded(value, Double(alpha)))
  }

  /// Compares what was said.
  public static func == (a: UIColor, b: UIColor) -> Bool { a.value == b.value }

  /// Hashes what was said.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Color {
  /// Takes a colour of UIKit.
  public init(uiColor: UIColor) { self.init(value: uiColor.value) }

  /// Takes a colour of UIKit.
  public init(_ uiColor: UIColor) { self.init(value: uiColor.value) }
}

/// A picture of UIKit, for `Image(uiImage:)`.
///
/// It keeps the bytes or the file; nothing is decoded.
public final class UIImage: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    case file(String)
    case bytes(Data)
    case symbol(String)
  }

  let source: Source
  /// The size in points, which nobody measures: 40 by 40.
  public var size: CGSize { CGSize(width: 40, height: 40) }
  /// Pixels of a point.
  public var scale: CGFloat { 1 }

  /// Makes a picture without any content.
  public init() { source = .bytes(Data()) }

  /// The image of that name in the assets.
  public init?(named name: String) {
    guard let file = AssetCatalog.image(named: name) else { return nil }
    source = .file(file)
  }

  /// The picture of bytes.
  public init?(data: Data) {
    guard !data.isEmpty else { return nil }
    source = .bytes(data)
  }

  /// The picture of bytes, of a scale.
  public convenience init?(data: Data, scale: CGFloat) { self.init(data: data) }

  /// The picture of a file.
  public init?(contentsOfFile path: String) {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    source = .file(path)
  }

  /// A symbol of the system.
  public init?(systemName: String) { source = .symbol(systemName) }

  /// The bytes, as they are.
  public func pngData() -> Data? {
    switch source {
    case .bytes(let data): data
    case .file(let path): FileManager.default.contents(atPath: path)
    case .symbol: nil
    }
  }

  /// The bytes, as they are.
  public func jpegData(compressionQuality: CGFloat) -> Data? { pngData() }

  /// Compares bytes and files.
  public static func == (a: UIImage, b: UIImage) -> Bool { a.source == b.source }

  /// Hashes bytes and files.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

extension UIColor {
  /// The colour of that name.
  public static let systemRed = UIColor(name: .red)
  /// The colour of that name.
  public static let systemOrange = UIColor(name: .orange)
  /// The colour of that name.
  public static let systemYellow = UIColor(name: .yellow)
  /// The colour of that name.
  public static let systemGreen = UIColor(name: .green)
  /// The colour of that name.
  public static let systemMint = UIColor(name: .mint)
  /// The colour of that name.
  public static let systemTeal = UIColor(name: .teal)
  /// The colour of that name.
  public static let systemCyan = UIColor(name: .cyan)
  /// The colour of that name.
  public static let systemBlue = UIColor(name: .blue)
  /// The colour of that name.
  public static let systemIndigo = UIColor(name: .indigo)
  /// The colour of that name.
  public static let systemPurple = UIColor(name: .purple)
  /// The colour of that name.
  public static let systemPink = UIColor(name: .pink)
  /// The colour of that name.
  public static let systemBrown = UIColor(name: .brown)
  /// The colour of that name.
  public static let systemGray = UIColor(name: .gray)
  /// The colour of that name.
  public static let systemGray2 = UIColor(name: .gray2)
  /// The colour of that name.
  public static let systemGray3 = UIColor(name: .gray3)
  /// The colour of that name.
  public static let systemGray4 = UIColor(name: .gray4)
  /// The colour of that name.
  public static let systemGray5 = UIColor(name: .gray5)
  /// The colour of that name.
  public static let systemGray6 = UIColor(name: .gray6)
  /// The colour of that name.
  public static let black = UIColor(name: .black)
  /// The colour of that name.
  public static let white = UIColor(name: .white)
  /// The colour of that name.
  public static let clear = UIColor(name: .clear)
  /// The colour of that name.
  public static let label = UIColor(name: .primary)
  /// The colour of that name.
  public static let secondaryLabel = UIColor(name: .secondary)
  /// The colour of that name.
  public static let tertiaryLabel = UIColor(name: .tertiary)
  /// The colour of that name.
  public static let quaternaryLabel = UIColor(name: .quaternary)
  /// The colour of that name.
  public static let link = UIColor(name: .blue)
  /// The colour of that name.
  public static let tintColor = UIColor(name: .blue)
  /// The colour of that name.
  public static let separator = UIColor(name: .separator)
  /// The colour of that name.
  public static let opaqueSeparator = UIColor(name: .opaqueSeparator)
  /// The colour of that name.
  public static let systemBackground = UIColor(name: .background)
  /// The colour of that name.
  public static let secondarySystemBackground = UIColor(name: .secondaryBackground)
  /// The colour of that name.
  public static let tertiarySystemBackground = UIColor(name: .tertiaryBackground)
  /// The colour of that name.
  public static let systemGroupedBackground = UIColor(name: .groupedBackground)
  /// The colour of that name.
  public static let secondarySystemGroupedBackground = UIColor(name: .background)
  /// The colour of that name.
  public static let tertiarySystemGroupedBackground = UIColor(name: .secondaryBackground)
  /// The colour of that name.
  public static let systemFill = UIColor(name: .fill)
  /// The colour of that name.
  public static let secondarySystemFill = UIColor(name: .secondaryFill)
  /// The colour of that name.
  public static let tertiarySystemFill = UIColor(name: .tertiaryFill)
  /// The colour of that name.
  public static let quaternarySystemFill = UIColor(name: .quaternaryFill)
  /// The colour of that name.
  public static let placeholderText = UIColor(name: .tertiary)
  /// The colour of that name.
  public static let red = UIColor(name: .red)
  /// The colour of that name.
  public static let green = UIColor(name: .green)
  /// The colour of that name.
  public static let blue = UIColor(name: .blue)
  /// The colour of that name.
  public static let gray = UIColor(name: .gray)
  /// The colour of that name.
  public static let lightGray = UIColor(name: .gray3)
  /// The colour of that name.
  public static let darkGray = UIColor(name: .darkGray)
  /// The colour of that name.
  public static let orange = UIColor(name: .orange)
  /// The colour of that name.
  public static let yellow = UIColor(name: .yellow)
  /// The colour of that name.
  public static let purple = UIColor(name: .purple)
  /// The colour of that name.
  public static let brown = UIColor(name: .brown)
}
