public import Foundation
public import FoundationAdditions

/// One or more lines of text.
///
/// Source: SwiftUI.
public struct Text: Equatable, Sendable {
  /// A piece with a style; a key is translated when the view is evaluated.
  struct Piece: Equatable, Sendable {
    enum Content: Equatable, Sendable {
      case run(TextRun.Content)
      case key(LocalizedStringKey, table: String?, bundle: BundleReference?)
      case resource(LocalizedStringResource)
      /// A date or a time of day, which depends on the language.
      case moment(Date, isTime: Bool)
      case interval(start: Date, end: Date)
    }

    var content: Content
    var style = TextStyle()
    var link: String?
  }

  var pieces: [Piece]

  init(pieces: [Piece]) { self.pieces = pieces }

  private init(_ content: Piece.Content) { pieces = [Piece(content: content)] }

  /// Makes a text that is not translated.
  public init(verbatim content: String) { self.init(.run(.text(content))) }

  /// Makes a text that is translated.
  public init(
    _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil,
    comment: StaticString? = nil
  ) {
    self.init(.key(key, table: tableName, bundle: bundle.map(BundleReference.init)))
  }

  /// Makes a text that is translated.
  @_disfavoredOverload
  public init(_ resource: LocalizedStringResource) { self.init(.resource(resource)) }

  /// Makes a text that is not translated.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ content: S) { self.init(verbatim: String(content)) }

  /// Makes a text with styles; a literal is a key, although it could be one of these too.
  @_disfavoredOverload
  public init(_ attributedContent: AttributedString) {
    pieces = attributedContent.runs.map { run in
      var piece = Piece(
        content: .run(.text(String(attributedContent[run.range].characters))))
      piece.link = run.link?.absoluteString
      return piece
    }
  }

  /// Makes a text of an image.
  public init(_ image: Image) { self.init(.run(image.run)) }

  /// The ways to show a date.
  public struct DateStyle: Hashable, Sendable {
    enum Kind: Hashable {
      case time
      case date
      case live(LiveDate.Style)
    }

    let kind: Kind

    /// The time of day.
    public static let time = DateStyle(kind: .time)
    /// The day.
    public static let date = DateStyle(kind: .date)
    /// The distance from now, in words.
    public static let relative = DateStyle(kind: .live(.relative))
    /// The distance from now, with a sign.
    public static let offset = DateStyle(kind: .live(.offset))
    /// Hours, minutes and seconds from now.
    public static let timer = DateStyle(kind: .live(.timer))
  }

  /// Makes a text of a date, which may follow the clock.
  public init(_ date: Date, style: DateStyle) {
    switch style.kind {
    case .time: self.init(.moment(date, isTime: true))
    case .date: self.init(.moment(date, isTime: false))
    case .live(let style): self.init(.run(.live(LiveDate(date: date, style: style))))
    }
  }

  /// Makes a text of a span between two dates.
  public init(_ dates: ClosedRange<Date>) {
    self.init(.interval(start: dates.lowerBound, end: dates.upperBound))
  }

  /// Makes a text of a span between two dates.
  public init(_ interval: DateInterval) {
    self.init(.interval(start: interval.start, end: interval.end))
  }

  /// Makes a text that counts the seconds of an interval.
  public init(
    timerInterval: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true,
    showsHours: Bool = true
  ) {
    let (start, end) = (timerInterval.lowerBound, timerInterval.upperBound)
    if let pauseTime {
      let paused = min(max(pauseTime, start), end)
      let seconds = countsDown ? end.timeIntervalSince(paused) : paused.timeIntervalSince(start)
      self.init(.run(.text(LiveText.clock(seconds))))
    } else {
      // A timer that counts down stops at zero, one that counts up at the end.
      self.init(.run(.live(LiveDate(date: countsDown ? end : start, style: .timer, end: end))))
    }
  }

  /// Makes a text of a value as a format style writes it.
  public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
  where F.FormatInput: Equatable, F.FormatOutput == String {
    self.init(verbatim: format.locale(EnvironmentValues.current.locale).format(input))
  }

  /// Makes a text of a value as a format style writes it.
  public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
  where F.FormatInput: Equatable, F.FormatOutput == AttributedString {
    self.init(format.locale(EnvironmentValues.current.locale).format(input))
  }

  /// Makes a text of a value as a formatter writes it.
  public init<Subject>(_ subject: Subject, formatter: Formatter) {
    self.init(verbatim: formatter.string(for: subject) ?? "")
  }

  /// Puts two texts behind each other.
  public static func + (first: Text, second: Text) -> Text {
    Text(pieces: first.pieces + second.pieces)
  }

  /// The place where a text that is too long is cut.
  public enum TruncationMode: Hashable, Sendable {
    case head
    case tail
    case middle
  }

  /// The case of letters.
  public enum Case: Hashable, Sendable {
    case uppercase
    case lowercase
  }

  /// The form of a line under or through a text.
  public struct LineStyle: Hashable, Sendable {
    /// The pattern of the line.
    public struct Pattern: Hashable, Sendable {
      private let name: String

      /// One line.
      public static let solid = Pattern(name: "solid")
      /// Dots.
      public static let dot = Pattern(name: "dot")
      /// Dashes.
      public static let dash = Pattern(name: "dash")
      /// Dashes and dots.
      public static let dashDot = Pattern(name: "dashDot")
      /// Dashes and two dots.
      public static let dashDotDot = Pattern(name: "dashDotDot")
    }

    /// Makes a style.
    public init(pattern: Pattern = .solid, color: Color? = nil) {}

    /// One line.
    public static let single = LineStyle()
  }

  /// How numbers are written, in words of the person's language.
  public enum Scale: Hashable, Sendable {
    case `default`
    case secondary
  }
}

/// A bundle that is compared by identity.
///
/// A bundle never changes after it was made, so any thread may read it.
struct BundleReference: Equatable, @unchecked Sendable {
  let bundle: Bundle

  init(_ bundle: Bundle) { self.bundle = bundle }
}

extension Text: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.append(ViewNode(.text(runs(in: evaluation.environment))))
  }
}

extension Text {
  /// The text in the language of an environment.
  package func runs(in environment: EnvironmentValues) -> [TextRun] {
    var runs: [TextRun] = []
    runs.reserveCapacity(pieces.count)
    for piece in pieces {
      switch piece.content {
      case .run(let content):
        runs.append(TextRun(content, style: piece.style, link: piece.link))
      case .key(let key, let table, let bundle):
        let text = key.text(
          tableName: table, bundle: bundle?.bundle, locale: environment.locale)
        appendParts(of: text, key, piece.style, environment, to: &runs)
      case .resource(let resource):
        runs.append(TextRun(.text(String(localized: resource)), style: piece.style))
      case .moment(let date, let isTime):
        let text = LiveText.moment(date, isTime: isTime, in: environment)
        runs.append(TextRun(.text(text), style: piece.style))
      case .interval(let start, let end):
        let text = LiveText.interval(start: start, end: end, in: environment)
        runs.append(TextRun(.text(text), style: piece.style))
      }
    }
    return runs
  }

  /// Appends a translated text; marks in it are the pieces of `key`.
  private func appendParts(
    of text: String, _ key: LocalizedStringKey, _ style: TextStyle,
    _ environment: EnvironmentValues, to runs: inout [TextRun]
  ) {
    guard !key.pieces.isEmpty else {
      return InlineMarkdown.append(text, style: style, to: &runs)
    }
    let parts = text.split(separator: LocalizedStringKey.mark, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index % 2 == 0 {
        InlineMarkdown.append(String(part), style: style, to: &runs)
      } else if let piece = Int(part).flatMap({ key.pieces[$0] }) {
        for var run in piece.runs(in: environment) {
          run.style = run.style.over(style)
          runs.append(run)
        }
      }
    }
  }
}
