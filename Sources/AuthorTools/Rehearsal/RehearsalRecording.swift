import DaemonCore
import JSON
import Timekeeping
import WidgetCenter

/// The providers' answers of a simulation with their dates, by which it is replayed without the
/// providers.
///
/// The file has a JSON object on each line. The first says when the recording begins:
/// `{"recording":1,"from":DATE}`. Each other one is an answer:
/// `{"at":DATE,"kind":…,"family":…,"mode"?:…,"intent":…}` with `answer` (the JSON that the provider printed),
/// `output` (its text, if that is not JSON), or `failure` (a sentence). The last two may have
/// `stderr`, the last line of the provider's standard error.
struct RehearsalRecording {
  /// The key of answers: a kind, a family, a mode and a configuration.
  struct Question: Hashable {
    var kind: String
    var family: String
    /// `nil`: the kind has the compact mode only.
    var mode: String?
    var intent: JSONValue
  }

  struct Answer: Hashable {
    var at: WallTime
    var outcome: ProviderOutcome
  }

  private(set) var from: WallTime
  private var answers: [Question: [Answer]] = [:]

  // MARK: Writing

  /// Returns the first line of a recording that begins at `from`.
  static func header(from: WallTime) -> String {
    let line: JSONValue = ["recording": 1, "from": .string(from.rfc3339)]
    return line.serialized + "\n"
  }

  /// Returns the line of one answer; `now` is the virtual moment of its run.
  static func line(
    _ outcome: ProviderOutcome, to question: Question, at now: WallTime
  ) -> String {
    var line: JSONObject = [
      "at": .string(now.rfc3339), "kind": .string(question.kind),
      "family": .string(question.family),
    ]
    line["mode"] = question.mode.map { .string($0) }
    line["intent"] = question.intent
    switch outcome {
    case .failed(let failure):
      line["failure"] = .string(failure.message)
      line["stderr"] = failure.stderr.map { .string($0) }
    case .printed(let output):
      let beginning = output.bytes.prefix(RehearsalLimits.recordedOutputBytesMax)
      line["output"] = .string(String(decoding: beginning, as: UTF8.self))
      line["exitStatus"] = .int(Int64(output.exitStatus))
    case .answered(let bytes, let diagnostics):
      do throws(JSONError) {
        line["answer"] = try JSONValue(parsing: bytes)
      } catch {
        // The beginning of the text is kept: replayed, it is not JSON either, and the run fails.
        let beginning = bytes.prefix(RehearsalLimits.recordedOutputBytesMax)
        line["output"] = .string(String(decoding: beginning, as: UTF8.self))
        line["stderr"] = ErrorLine.last(of: diagnostics).map { .string($0) }
      }
    }
    return JSONValue.object(line).serialized + "\n"
  }

  // MARK: Reading

  /// Reads a recording; throws a sentence that names `file` and the first line that cannot be read.
  init(_ bytes: [UInt8], file: String) throws(RehearsalPlan.Problem) {
    var from: WallTime?
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      func wrong(_ what: String) -> RehearsalPlan.Problem {
        .init("\(file):\(index + 1): \(what)")
      }
      let value: JSONValue
      do throws(JSONError) {
        value = try JSONValue(parsing: Array(line))
      } catch {
        throw wrong("the line is not JSON: \(error.message)")
      }
      if value["recording"] != nil {
        guard value["recording"]?.intValue == 1,
          let date = value["from"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
        else {
          throw wrong("this is no recording of `simulate --record` that this version can read")
        }
        from = date
        continue
      }
      guard from != nil else {
        throw wrong(
          "a recording begins with {\"recording\":1,\"from\":DATE}; make one with --record")
      }
      guard let at = value["at"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }),
        let kind = value["kind"]?.stringValue, let family = value["family"]?.stringValue
      else { throw wrong("an answer has at (a date), kind and family") }
      let question = Question(
        kind: kind, family: family, mode: value["mode"]?.stringValue,
        intent: value["intent"] ?? .null)
      let diagnostics = value["stderr"]?.stringValue ?? ""
      let outcome: ProviderOutcome
      if let answer = value["answer"] {
        var bytes: [UInt8] = []
        answer.write(into: &bytes)
        outcome = .answered(bytes)
      } else if let output = value["output"]?.stringValue {
        outcome = .answered(Array(output.utf8), diagnostics: diagnostics)
      } else if let failure = value["failure"]?.stringValue {
        outcome = .failed(ProviderFailure(.refused(failure), diagnostics: diagnostics))
      } else {
        throw wrong("an answer has answer, output or failure")
      }
      answers[question, default: []].append(Answer(at: at, outcome: outcome))
    }
    guard let from else {
      throw .init("\(file) is empty; make a recording with --record")
    }
    self.from = from
    for question in answers.keys { answers[question]?.sort { $0.at < $1.at } }
  }

  /// Returns the newest answer at this point of the recording, with all its dates moved as if it
  /// came at `now`.
  ///
  /// `elapsed` is the number of milliseconds since the simulation began. After the recording's end
  /// its last answer repeats; a configuration that was not recorded gets the answers of another one
  /// of its kind.
  func answer(to question: Question, elapsed: Int64, now: WallTime) -> ProviderOutcome? {
    let exact = answers[question]
    let others = answers.filter { $0.key.kind == question.kind && $0.key.mode == question.mode }
      .sorted {
        ($0.key.family, $0.key.intent.serialized) < ($1.key.family, $1.key.intent.serialized)
      }
    guard
      let list = exact ?? others.first(where: { $0.key.family == question.family })?.value
        ?? others.first?.value
    else { return nil }
    let moment = from.advanced(byMilliseconds: elapsed)
    let found = list.last { $0.at <= moment } ?? list[0]
    return Self.move(found.outcome, by: now.milliseconds(since: found.at))
  }

  private static func move(_ outcome: ProviderOutcome, by shift: Int64) -> ProviderOutcome {
    guard shift != 0, case .answered(let bytes, let diagnostics) = outcome else { return outcome }
    do throws(JSONError) {
      var moved: [UInt8] = []
      move(try JSONValue(parsing: bytes), by: shift).write(into: &moved)
      return .answered(moved, diagnostics: diagnostics)
    } catch {
      // Output that is not JSON has no dates to move.
      return outcome
    }
  }

  /// Moves each text in a value that is an RFC 3339 date and nothing else.
  static func move(_ value: JSONValue, by shift: Int64) -> JSONValue {
    switch value {
    case .string(let text):
      WallTime(rfc3339: text).map { .string($0.advanced(byMilliseconds: shift).rfc3339) } ?? value
    case .array(let items): .array(items.map { move($0, by: shift) })
    case .object(let object):
      .object(
        JSONObject(object.members.map { .init(key: $0.key, value: move($0.value, by: shift)) }))
    case .null, .bool, .int, .double: value
    }
  }
}
