import Foundation

enum Timetable {
  static var stops: [Stop] {
    ["Central Station", "Harbour", "University"].enumerated().map { index, name in
      let stop = Stop(identifier: "stop-\(index)", display: name)
      stop.zone = NSNumber(value: index + 1)
      return stop
    }
  }

  /// A tram each seven minutes.
  static func departures(after date: Date, direction: Direction) -> [Departure] {
    let seconds = 420.0
    let first = (date.timeIntervalSince1970 / seconds).rounded(.down) + 1
    return (0..<6).map { number in
      let count = Int(first) + number
      return Departure(
        id: count, line: "\(count % 3 + 1)",
        destination: direction == .outbound ? "Hills" : "Market",
        date: Date(timeIntervalSince1970: Double(count) * seconds),
        platform: "Platform \(count % 2 + 1)", isCancelled: count % 5 == 0)
    }
  }
}
