package import Plugins

/// The pictures of plugins: kept beside the content that names them, in memory and in the record of
/// its timeline, and gone with it.
extension WidgetEngine {
  /// Returns the picture with a hash; `nil`: no content names it.
  ///
  /// O(timelines).
  package func picture(_ hash: String) -> PluginPicture? {
    for shared in timelines.values {
      if let found = shared.pictures.first(where: { $0.hash == hash }) { return found }
    }
    return nil
  }

  /// Returns the pictures that may be kept for a timeline beside those of all others.
  ///
  /// One that is there already takes no more room. The others have `Limits.pictureBytesMax` in all;
  /// content whose picture is not kept names it all the same. O(timelines), unless all are known.
  func fitting(_ pictures: [PluginPicture], besides key: TimelineKey) -> [PluginPicture] {
    guard !pictures.isEmpty else { return [] }
    let own = timelines[key]?.pictures ?? []
    if pictures.map(\.hash) == own.map(\.hash) { return own }
    var known: [String: PluginPicture] = [:]
    for shared in timelines.values where shared.key != key {
      for picture in shared.pictures { known[picture.hash] = picture }
    }
    var room = Limits.pictureBytesMax - known.values.reduce(0) { $0 + $1.bytes.count }
    return pictures.compactMap { picture in
      // The bytes of one array are shared by all that hold it.
      if let same = known[picture.hash] { return same }
      guard picture.bytes.count <= room else { return nil }
      room -= picture.bytes.count
      return picture
    }
  }
}
