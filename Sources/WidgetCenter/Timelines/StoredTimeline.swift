import JSON

/// A timeline that may still stand as the store kept it.
///
/// After a start with ten thousand widgets nobody waits for all their entries. They are read in
/// slices of the turns that follow (`WidgetEngine+Slices`), or when a client asks for one.
enum StoredTimeline: Hashable, Sendable {
  case none
  case read(Timeline)
  /// Valid JSON; whether it is a timeline shows when it is read.
  case unread(ArraySlice<UInt8>)

  /// O(bytes) each time while it is unread.
  var timeline: Timeline? {
    switch self {
    case .none: return nil
    case .read(let timeline): return timeline
    case .unread(let bytes):
      do throws(JSONError) {
        guard
          case .success(let read) = Timeline.read(
            try JSONValue(parsing: bytes), isStored: true)
        else {
          return nil
        }
        return read.timeline
      } catch {
        // A timeline that cannot be read is none: the widget is asked for a new one.
        return nil
      }
    }
  }
}
