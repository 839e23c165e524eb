import DaemonCore
import Downloads
import JSON
import Timekeeping
import WidgetCenter

/// A number that is equal for equal effects in the same order, in each run of the program.
///
/// It is FNV-1a over the effects' text. `Hasher` does not serve, because each process seeds it
/// anew.
struct Digest: Sendable {
  private(set) var value: UInt64 = 14_695_981_039_346_656_037

  mutating func mix(_ number: UInt64) {
    value = (value ^ number) &* 1_099_511_628_211
    value ^= value >> 29
  }

  mutating func mix(_ number: Int64) { mix(UInt64(bitPattern: number)) }

  mutating func mix(_ bytes: [UInt8]) {
    mix(UInt64(bytes.count))
    bytes.withUnsafeBytes { raw in
      var index = 0
      while index + 8 <= raw.count {
        mix(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
        index += 8
      }
      while index < raw.count {
        mix(UInt64(raw[index]))
        index += 1
      }
    }
  }

  mutating func mix(_ text: String) { mix(Array(text.utf8)) }

  mutating func mix(_ effect: Effect) {
    switch effect {
    case .send(let connection, let bytes):
      mix(UInt64(1))
      mix(connection.number)
      mix(bytes)
    case .close(let connection, let reason):
      mix(UInt64(2))
      mix(connection.number)
      mix(reason)
    case .drop(let connection, let reason):
      mix(UInt64(13))
      mix(connection.number)
      mix(reason)
    case .store(let request):
      mix(UInt64(3))
      mix(request)
    case .runProvider(let run):
      mix(UInt64(4))
      mix(run.token.number)
      mix(run.request)
    case .cancelProvider(let token):
      mix(UInt64(5))
      mix(token.number)
    case .tellStream(let token, let line):
      mix(UInt64(14))
      mix(token.number)
      mix(line)
    case .launch(let token, let request):
      mix(UInt64(6))
      mix(token.number)
      mix(request.url ?? "")
      if case .command(let command) = request.target { command.exec.forEach { mix($0) } }
    case .fetch(let request):
      mix(UInt64(15))
      mix(request.token.number)
      for item in request.items { mix(item.order.json.serialized) }
    case .cancelFetch(let token):
      mix(UInt64(16))
      mix(token.number)
    case .wakeUp(let moment):
      mix(UInt64(7))
      mix(moment?.nanoseconds ?? -1)
    case .useSession(let session):
      mix(UInt64(14))
      for variable in session.variables ?? [] { mix(variable.value) }
    case .makeGroup(let name):
      mix(UInt64(15))
      mix(name)
    case .notify(let notice):
      mix(UInt64(18))
      mix(notice.widget)
      mix(notice.title)
    case .sleepMayCome: mix(UInt64(17))
    case .loadConfiguration: mix(UInt64(8))
    case .ready: mix(UInt64(9))
    case .log(let line):
      mix(UInt64(10))
      mix(line.event)
      for field in line.fields {
        mix(field.key)
        mix(field.value)
      }
    case .stop: mix(UInt64(11))
    case .pauseReading(let connection):
      mix(UInt64(12))
      mix(connection.number)
    case .resumeReading(let connection):
      mix(UInt64(13))
      mix(connection.number)
    }
  }

  private mutating func mix(_ request: StoreRequest) {
    switch request {
    case .load(let rows): mix(Int64(rows))
    case .close: mix(UInt64(1))
    case .commit(let number, let writes):
      mix(number)
      for write in writes {
        switch write {
        case .put(let table, let key, let bytes):
          mix(table.rawValue)
          mix(key)
          mix(bytes)
        case .remove(let table, let key):
          mix(table.rawValue)
          mix(key)
        case .appendJournal(let sequence, let bytes):
          mix(sequence)
          mix(bytes)
        case .pruneJournal(let below): mix(below)
        case .scrub: mix(UInt64(2))
        }
      }
    }
  }
}
