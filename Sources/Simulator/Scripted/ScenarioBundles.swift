import JSON
import WidgetCenter

/// Puts the kinds of a scenario that name the same `bundle` into one manifest.
///
/// A kind stands in the file with all its keys, as a kind of a manifest of its own does; the keys of
/// the program come from the first one that is offered.
enum ScenarioBundles {
  /// The key of a kind that names its bundle.
  static let key = "bundle"

  /// Returns the manifests of kinds, each with the name of its file, in the order of the kinds.
  static func documents(
    of kinds: [String], _ manifests: [String: JSONObject]
  ) -> [(file: String, document: JSONObject)] {
    var documents: [(file: String, document: JSONObject)] = []
    for kind in kinds {
      guard var manifest = manifests[kind] else { continue }
      guard let bundle = manifest[key]?.stringValue else {
        documents.append((kind, manifest))
        continue
      }
      manifest[key] = nil
      let program = JSONObject(
        manifest.members.filter { ManifestReader.keysOfProgram.contains($0.key) })
      manifest.members.removeAll { ManifestReader.keysOfProgram.contains($0.key) }
      let index = documents.firstIndex { $0.file == bundle } ?? documents.count
      if index == documents.count { documents.append((bundle, program)) }
      let others = documents[index].document["kinds"]?.arrayValue ?? []
      documents[index].document["kinds"] = .array(others + [.object(manifest)])
    }
    return documents
  }
}
