package import Plugins

/// The pictures of widgets: kept beside the content that names them, in memory and in the record of
/// its timeline, and gone with it.
extension WidgetEngine {
  /// Returns the picture one of whose files has a hash; `nil`: no content names it.
  ///
  /// O(timelines).
  package func picture(_ hash: String) -> PluginPicture? {
    for shared in timelines.values {
      if let found = shared.pictures.first(where: { $0.has(hash) }) { return found }
    }
    return nil
  }

  /// Returns the pictures that the widgets of a kind show now, which its answers may name by their
  /// hashes.
  ///
  /// O(timelines).
  package func pictures(ofKind kind: String) -> [PluginPicture] {
    timelines.values.flatMap { $0.key.kind == kind ? $0.pictures : [] }
  }

  /// Returns `unwanted` without the parts that the entry of a widget in a mode has not, so that most
  /// entries are written as they are.
  ///
  /// O(pictures of the widget).
  package func partsToOmit(
    _ unwanted: ContentParts, of id: String, in mode: WidgetMode = .compact
  ) -> ContentParts {
    guard !unwanted.isDisjoint(with: .onlyByName) else { return unwanted }
    guard let shared = widgets[id]?.timelineKey(in: mode).flatMap({ timelines[$0] }) else {
      return unwanted.subtracting(.onlyByName)
    }
    var unwanted = unwanted
    if !shared.pictures.contains(where: { $0.motion != nil }) { unwanted.remove(.motion) }
    // One that is unread is not read for this.
    if !shared.isUnread, shared.timeline?.viewBytes ?? 0 == 0 { unwanted.remove(.view) }
    return unwanted
  }

  /// Takes away the views of a timeline that have no room beside those of all others.
  ///
  /// They have `Limits.viewBytesMax` in all. O(timelines) for a timeline with views.
  ///
  /// - Returns: a sentence for the author; `nil`: all have room.
  package func fitViews(of timeline: inout Timeline, for key: TimelineKey) -> String? {
    guard timeline.viewBytes > 0 else { return nil }
    var room = Limits.viewBytesMax
    for shared in timelines.values where shared.key != key && !shared.isUnread {
      room -= shared.timeline?.viewBytes ?? 0
    }
    let count = timeline.dropViews(beyond: max(room, 0))
    guard count > 0 else { return nil }
    return
      "\(count) views are left out: those of all widgets have at most \(Limits.viewBytesMax) bytes"
  }

  /// Keeps the pictures of an answer, which the timeline has taken, and those of the entries that
  /// stayed.
  ///
  /// O(members of all entries) for a timeline with pictures.
  func keep(_ answer: Answer, in shared: inout SharedTimeline) {
    var pictures = answer.pictures
    if !answer.isWhole {
      guard !pictures.isEmpty || !shared.pictures.isEmpty else { return }
      let named = shared.picturesNamed
      for picture in shared.pictures where !pictures.contains(picture) { pictures.append(picture) }
      pictures.removeAll { !named.contains($0.hash) }
    }
    shared.keep(pictures: fitting(pictures, besides: shared.key))
  }

  /// Returns the pictures that may be kept for a timeline beside those of all others.
  ///
  /// One that is there already takes no more room. The others have `Limits.pictureBytesMax` in all;
  /// content whose picture is not kept names it all the same. O(timelines), unless all are known.
  private func fitting(_ pictures: [PluginPicture], besides key: TimelineKey) -> [PluginPicture] {
    guard !pictures.isEmpty else { return [] }
    let own = timelines[key]?.pictures ?? []
    if pictures.map(\.sourceHash) == own.map(\.sourceHash) { return own }
    var known: [String: PluginPicture] = [:]
    for shared in timelines.values where shared.key != key {
      for picture in shared.pictures { known[picture.sourceHash] = picture }
    }
    var room = Limits.pictureBytesMax - known.values.reduce(0) { $0 + $1.byteCount }
    return pictures.compactMap { picture in
      // The bytes of one array are shared by all that hold it.
      if let same = known[picture.sourceHash] { return same }
      guard picture.byteCount <= room else { return nil }
      room -= picture.byteCount
      return picture
    }
  }
}

extension SharedTimeline {
  /// The hashes of the pictures that its entries name; O(members).
  var picturesNamed: Set<String> {
    (timeline?.entries ?? []).reduce(into: []) { named, entry in
      named.formUnion(AnswerPictures.hashes(in: entry.content))
    }
  }
}
