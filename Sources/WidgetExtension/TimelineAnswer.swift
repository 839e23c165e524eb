package import JSON
package import Timekeeping

/// The answer to a request for entries, made of what a provider gave.
package struct TimelineAnswer: Hashable, Sendable {
  /// An entry as the provider gave it, without its content.
  package struct Entry: Hashable, Sendable {
    package var date: WallTime
    package var score: Double?
    /// Seconds.
    package var duration: Double

    package init(date: WallTime, score: Double? = nil, duration: Double = 0) {
      self.date = date
      self.score = score
      self.duration = duration
    }
  }

  /// An entry as it is answered: its number among those of the provider, and its date.
  package struct Place: Hashable, Sendable {
    package var index: Int
    package var date: WallTime
  }

  /// When the provider wants to be asked again.
  package enum Policy: Hashable, Sendable {
    case atEnd
    case never
    case after(WallTime)

    fileprivate var json: JSONValue {
      switch self {
      case .atEnd: "atEnd"
      case .never: "never"
      case .after(let date): ["after": .string(date.rfc3339)]
      }
    }
  }

  /// A span in which the widget is relevant, whatever it shows.
  package struct Window: Hashable, Sendable {
    package var from: WallTime
    package var to: WallTime
    package var kind: String

    package init(from: WallTime, to: WallTime, kind: String) {
      self.from = from
      self.to = to
      self.kind = kind
    }
  }

  /// In the order of their dates.
  package private(set) var places: [Place]
  /// Sentences for the author.
  package private(set) var warnings: [String] = []

  /// Orders the entries of a provider.
  ///
  /// Entries from the request's moment to that of the answer count from the former: a provider that
  /// writes `Date()` means now, and its first entry would otherwise begin a moment too late. Of more
  /// entries than a timeline has, the first are answered.
  package init(_ entries: [Entry], requested: WallTime, answered: WallTime) {
    places = entries.enumerated().map { index, entry in
      let isNow = requested <= entry.date && entry.date <= answered
      return Place(index: index, date: isNow ? requested : entry.date)
    }
    places.sort { ($0.date, $0.index) < ($1.date, $1.index) }
    if places.count > Limits.timelineEntryCountMax {
      warnings.append(
        "the timeline has \(places.count) entries; the first \(Limits.timelineEntryCountMax) are shown"
      )
      places.removeLast(places.count - Limits.timelineEntryCountMax)
    }
    if places.isEmpty {
      warnings.append("the timeline is empty; the widget keeps what it shows")
    }
  }

  /// Writes the answer.
  ///
  /// `contents` are the members beside the date and the relevance, one for each place. A timeline
  /// without entries says that nothing is new, as iOS keeps what it shows.
  package func json(
    contents: [JSONObject], of entries: [Entry], policy: Policy, windows: [Window]
  ) -> JSONObject {
    precondition(contents.count == places.count, "a content for each entry")
    guard !places.isEmpty else { return ["result": "noData", "policy": policy.json] }
    var answer = JSONObject()
    answer["entries"] = .array(
      zip(places, contents).map { place, content in
        var members: JSONObject = ["date": .string(place.date.rfc3339)]
        let entry = entries[place.index]
        if let score = entry.score, score.isFinite {
          var relevance: JSONObject = ["score": .double(score)]
          if entry.duration > 0, entry.duration.isFinite {
            relevance["duration"] = .double(entry.duration)
          }
          members["relevance"] = .object(relevance)
        }
        members.members += content.members
        return .object(members)
      })
    answer["policy"] = policy.json
    let open = windows.filter { $0.from < $0.to }.prefix(Limits.relevantWindowCountMax)
    if !open.isEmpty {
      answer["relevance"] = .array(
        open.map { window in
          [
            "from": .string(window.from.rfc3339), "to": .string(window.to.rfc3339),
            "kind": .string(window.kind),
          ]
        })
    }
    return answer
  }
}
