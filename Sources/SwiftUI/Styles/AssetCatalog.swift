package import Foundation
import JSON
import Synchronization

/// The colours and images of the author's asset catalogs.
///
/// A catalog is read as Xcode keeps it, `Name.xcassets/Sub/Name.colorset/Contents.json`, from the
/// resources of the bundles that the code names, of the main bundle, and of the resource bundles
/// that SwiftPM puts beside the program. Each name is looked for once.
package enum AssetCatalog {
  private struct State {
    var folders: [String] = []
    var isSearched = false
    var colors: [String: ColorValue?] = [:]
    var images: [String: String?] = [:]
    /// Folders of assets by their name, such as `Sun.imageset`.
    var sets: [String: String] = [:]
  }

  private static let state = Mutex(State())

  /// Searches the resources of `bundle` too.
  package static func note(_ bundle: Bundle?) {
    guard let bundle, let path = bundle.resourcePath else { return }
    add(path)
  }

  /// Searches a folder too.
  package static func add(_ path: String) {
    state.withLock { state in
      guard !state.folders.contains(path) else { return }
      state.folders.append(path)
      collect(below: path, into: &state)
      state.colors = state.colors.filter { $0.value != nil }
      state.images = state.images.filter { $0.value != nil }
    }
  }

  /// The colour of that name; `nil`: there is none.
  package static func color(named name: String) -> ColorValue? {
    state.withLock { state in
      if let known = state.colors[name] { return known }
      search(&state)
      let found = state.sets["\(last(name)).colorset"].flatMap(readColor)
      state.colors[name] = .some(found)
      return found
    }
  }

  /// The file of the image of that name; `nil`: there is none.
  package static func image(named name: String) -> String? {
    state.withLock { state in
      if let known = state.images[name] { return known }
      search(&state)
      let found = state.sets["\(last(name)).imageset"].flatMap(readImage)
      state.images[name] = .some(found)
      return found
    }
  }

  /// A name may have the folders of its set before it.
  private static func last(_ name: String) -> Substring { name.split(separator: "/").last ?? "" }

  private static func search(_ state: inout State) {
    guard !state.isSearched else { return }
    state.isSearched = true
    var folders: [String] = []
    if let path = Bundle.main.resourcePath { folders.append(path) }
    let beside = Bundle.main.bundlePath
    folders += names(in: beside).filter { $0.hasSuffix(".resources") }.sorted().map {
      "\(beside)/\($0)"
    }
    for folder in folders where !state.folders.contains(folder) {
      state.folders.append(folder)
      collect(below: folder, into: &state)
    }
  }

  private static func collect(below folder: String, into state: inout State) {
    // A bundle that lies in a folder of builds has catalogs at its top, and nothing far below.
    for name in names(in: folder).sorted() where name.hasSuffix(".xcassets") {
      let catalog = "\(folder)/\(name)"
      guard let files = FileManager.default.enumerator(atPath: catalog) else { continue }
      for case let path as String in files {
        guard path.hasSuffix(".colorset") || path.hasSuffix(".imageset") else { continue }
        let set = path.split(separator: "/").last.map(String.init) ?? path
        if state.sets[set] == nil { state.sets[set] = "\(catalog)/\(path)" }
      }
    }
  }

  private static func names(in folder: String) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      // A folder that cannot be read has no assets.
      return []
    }
  }

  private static func contents(of set: String) -> JSONValue? {
    guard let bytes = FileManager.default.contents(atPath: "\(set)/Contents.json") else {
      return nil
    }
    do throws(JSONError) {
      return try JSONValue(parsing: Array(bytes))
    } catch {
      // An asset that cannot be read is as one that is not there.
      return nil
    }
  }

  private static func readColor(_ set: String) -> ColorValue? {
    guard let colors = contents(of: set)?["colors"]?.arrayValue else { return nil }
    var light: RGB?
    var dark: RGB?
    for entry in colors {
      guard let components = entry["color"]?["components"],
        let red = part(components["red"]), let green = part(components["green"]),
        let blue = part(components["blue"])
      else { continue }
      let color = RGB(red, green, blue, alpha: part(components["alpha"]) ?? 1)
      let isDark =
        entry["appearances"]?.arrayValue?.contains { $0["value"]?.stringValue == "dark" } ?? false
      if isDark { dark = dark ?? color } else { light = light ?? color }
    }
    guard let light = light ?? dark else { return nil }
    return dark.map { .pair(light: light, dark: $0) } ?? .rgb(light)
  }

  /// A part of a colour: `0.5`, `128` or `0x80`.
  private static func part(_ value: JSONValue?) -> Double? {
    guard let text = value?.stringValue else { return value?.doubleValue }
    if text.hasPrefix("0x") { return UInt8(text.dropFirst(2), radix: 16).map { Double($0) / 255 } }
    guard let number = Double(text) else { return nil }
    return text.contains(".") ? number : number / 255
  }

  private static func readImage(_ set: String) -> String? {
    guard let images = contents(of: set)?["images"]?.arrayValue else { return nil }
    // The largest scale that is there: the surface makes it smaller.
    let files = images.compactMap { entry in
      entry["filename"]?.stringValue.map { (entry["scale"]?.stringValue ?? "", "\(set)/\($0)") }
    }
    let sorted = files.sorted { $0.0 > $1.0 }
    return sorted.first { FileManager.default.fileExists(atPath: $0.1) }?.1
  }
}
