package import JSON
import Plugins
package import Timekeeping

/// The form in which the store keeps a timeline; `restore` reads it.
extension SharedTimeline {
  /// Writes the record that the store keeps, a JSON object.
  package func writeRecord(at now: WallTime, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("intent")
    writer.value(configuration.json)
    writer.key("failures")
    writer.int(Int64(consecutiveFailures))
    writer.key("scoreMax")
    writer.double(scoreMax)
    writer.key("budget")
    writer.beginObject()
    writer.key("balance")
    writer.double(budget.balance(at: now))
    writer.key("at")
    writer.string(now.rfc3339)
    writer.key("lastSpentAt")
    if let spentAt = budget.lastSpentAt { writer.string(spentAt.rfc3339) } else { writer.null() }
    writer.endObject()
    if let windowMax {
      writer.key("windowMax")
      writer.string(windowMax.name)
    }
    writer.key("views")
    writer.value(views.json)
    if let timeline {
      writer.key("timeline")
      timeline.write(to: &writer)
    }
    if let preferredHeight {
      writer.key("preferredHeight")
      writer.int(preferredHeight)
    }
    if !pictures.isEmpty {
      writer.key("pictures")
      writer.value(.array(pictures.map(\.record)))
    }
    if hasDownloads, let record = downloads.record {
      writer.key("downloads")
      writer.value(record)
    }
    if let fetchedAt {
      writer.key("fetchedAt")
      writer.string(fetchedAt.rfc3339)
    }
    if isConfirmed {
      writer.key("confirmed")
      writer.bool(true)
    }
    if let failure {
      writer.key("failure")
      writer.string(failure)
    }
    if let stderr {
      writer.key("stderr")
      writer.string(stderr)
    }
    if let failingSince {
      writer.key("failingSince")
      writer.string(failingSince.rfc3339)
    }
    // A planned or running reload ends with the process, so its timeline is due at once.
    if let dueAt = dueAt ?? (isIdle ? nil : now) {
      writer.key("dueAt")
      writer.string(dueAt.rfc3339)
      writer.key("dueCause")
      writer.string(dueCause.rawValue)
    }
    writer.endObject()
  }

  /// The same as a value.
  package func record(at now: WallTime) -> JSONValue {
    var writer = JSONWriter()
    writeRecord(at: now, to: &writer)
    do throws(JSONError) {
      return try JSONValue(parsing: writer.bytes)
    } catch {
      preconditionFailure("a record is JSON: \(error.message)")
    }
  }
}
