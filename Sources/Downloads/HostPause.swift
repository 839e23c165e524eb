import Digests
import JSON
package import Timekeeping

/// How long a host is left alone, because it failed or asked for it.
///
/// It is a small file for each host, so that it outlives the program, which is gone between two
/// downloads. Each kind has files of its own, and so has the person: a server that serves one of
/// them badly, because it was asked to, says nothing to the others.
package struct HostPause: Hashable, Sendable {
  package var origin: String
  /// Failures in a row; 0: only the server asked for the pause.
  package var failureCount: Int
  package var until: WallTime
  /// Whether the server asked for it, and not our own caution.
  package var isAskedFor: Bool

  package init(origin: String, failureCount: Int, until: WallTime, isAskedFor: Bool) {
    self.origin = origin
    self.failureCount = failureCount
    self.until = until
    self.isAskedFor = isAskedFor
  }

  /// The pause after one more failure: what the server asked for, else 30 seconds, doubled with each
  /// failure in a row up to an hour.
  package static func after(
    _ last: HostPause?, origin: String, retryAfter: WallTime?, now: WallTime
  ) -> HostPause {
    let count = min((last?.failureCount ?? 0) + 1, 64)
    var milliseconds = DownloadLimits.pauseMilliseconds
    for _ in 1..<count where milliseconds < DownloadLimits.pauseMillisecondsMax {
      milliseconds *= 2
    }
    let own = now.advanced(
      byMilliseconds: min(milliseconds, DownloadLimits.pauseMillisecondsMax))
    return HostPause(
      origin: origin, failureCount: count, until: retryAfter ?? own,
      isAskedFor: retryAfter != nil)
  }

  /// Whether the host is left alone at a moment; a person waits only where the server asked for it.
  ///
  /// A clock that was set back does not make a pause longer than the longest one.
  package func holds(at now: WallTime, forPerson: Bool) -> Bool {
    let left = until.milliseconds(since: now)
    return left > 0 && left <= DownloadLimits.retryAfterMillisecondsMax
      && (isAskedFor || !forPerson)
  }

  /// The name of a host's file.
  package static func name(of origin: String) -> String {
    String(SHA256.digest(of: Array(origin.utf8)).prefix(32)) + ".json"
  }

  /// Reads a file; `nil` if it is none, or belongs to another host.
  package init?(_ bytes: [UInt8], of origin: String) {
    guard bytes.count <= DownloadLimits.recordBytesMax else { return nil }
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes)
    } catch {
      return nil
    }
    guard let object = json.objectValue, object["origin"]?.stringValue == origin,
      let count = object["failures"]?.intValue, (0...64).contains(count),
      let until = object["until"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }),
      let isAskedFor = object["asked"]?.boolValue
    else { return nil }
    self.init(
      origin: origin, failureCount: Int(count), until: until, isAskedFor: isAskedFor)
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    let json: JSONValue = [
      "origin": .string(origin), "failures": .int(Int64(failureCount)),
      "until": .string(until.rfc3339), "asked": .bool(isAskedFor),
    ]
    return Array(json.serialized.utf8) + [UInt8(ascii: "\n")]
  }
}
