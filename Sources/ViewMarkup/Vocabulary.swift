/// The vocabulary of a view's markup: everything that may stand in it.
///
/// A picture of a widget is HTML without any script: an element for each node, and its look in an
/// inline style. Any provider can send one, so the daemon takes only what is listed here
/// (`MarkupReader`), and a surface may show what the daemon took without judging it again. The
/// writer of SwiftUI emits nothing else, because it builds `MarkupElement`s of these enumerations.
///
/// To add a word, add a case, and the form of its values to `MarkupProperty.form`.
package enum MarkupTag: String, CaseIterable, Hashable, Sendable {
  case div
  case span
  /// A link: `href`.
  case a
  /// Something to tap: `data-item` says the item of the content that does it.
  case button
  /// A date that follows the clock: `datetime`, `data-style` and perhaps `data-end`.
  case time
}

/// The attributes of elements, each with the form of its value.
package enum MarkupAttribute: String, CaseIterable, Hashable, Sendable {
  /// A URL of the strict profile; only of `a`.
  case href
  /// An item of the content, by its place from 0: a tap does what the item does.
  case item = "data-item"
  /// The name of a symbol, such as `cloud.rain`; the surface draws it or shows a sign for it.
  case symbol = "data-symbol"
  /// An RFC 3339 date in UTC, such as `2026-11-21T07:28:29Z`; only of `time`.
  case datetime
  /// How a live date is written: `relative`, `timer` or `offset`; only of `time`.
  case liveStyle = "data-style"
  /// When a timer stops, as `datetime`; only of `time`.
  case liveEnd = "data-end"
  /// Words for everybody who does not see the element.
  case label = "aria-label"
  /// `true`: nobody reads the element aloud.
  case isHidden = "aria-hidden"
  /// `img`, `meter`, `switch`.
  case role
  /// How far a meter is, from 0 to 100.
  case meterValue = "aria-valuenow"
  /// Whether a switch is on: `true` or `false`.
  case isChecked = "aria-checked"
  /// Words that are shown when the person points at the element.
  case title
  /// `true`: the content is private, and a locked surface covers it.
  case isPrivate = "data-private"
  /// The declarations.
  case style

  /// The form of a value.
  package enum Form: Hashable, Sendable {
    case url
    case words
    case symbolName
    case date
    case number
    case keywords([String])
    case declarations
  }

  package var form: Form {
    switch self {
    case .href: .url
    case .label, .title: .words
    case .symbol: .symbolName
    case .datetime, .liveEnd: .date
    case .item, .meterValue: .number
    case .liveStyle: .keywords(["relative", "timer", "offset"])
    case .isHidden, .isPrivate: .keywords(["true"])
    case .isChecked: .keywords(["true", "false"])
    case .role: .keywords(["img", "meter", "switch"])
    case .style: .declarations
    }
  }

  /// The tags that may have it; `nil`: any.
  package var tags: Set<MarkupTag>? {
    switch self {
    case .href: [.a]
    case .datetime, .liveStyle, .liveEnd: [.time]
    case .item, .symbol, .label, .isHidden, .role, .meterValue, .isChecked, .title, .isPrivate,
      .style:
      nil
    }
  }
}

/// The properties of a declaration, each with the form of its value.
package enum MarkupProperty: String, CaseIterable, Hashable, Sendable {
  // Layout.
  case display
  case flexDirection = "flex-direction"
  case flex
  case alignItems = "align-items"
  case justifyContent = "justify-content"
  case justifyItems = "justify-items"
  case alignSelf = "align-self"
  case justifySelf = "justify-self"
  case gap
  case gridTemplateColumns = "grid-template-columns"
  case gridTemplateRows = "grid-template-rows"
  case gridAutoFlow = "grid-auto-flow"
  case gridArea = "grid-area"
  case position
  case inset
  case width
  case height
  case minWidth = "min-width"
  case maxWidth = "max-width"
  case minHeight = "min-height"
  case maxHeight = "max-height"
  case aspectRatio = "aspect-ratio"
  case padding
  case boxSizing = "box-sizing"
  case overflow
  case visibility
  // Drawing.
  case background
  case border
  case borderRadius = "border-radius"
  case boxShadow = "box-shadow"
  case opacity
  case transform
  case mask
  // Text.
  case color
  case fontFamily = "font-family"
  case fontSize = "font-size"
  case fontWeight = "font-weight"
  case fontStyle = "font-style"
  case fontVariantNumeric = "font-variant-numeric"
  case lineHeight = "line-height"
  case letterSpacing = "letter-spacing"
  case textAlign = "text-align"
  case textDecoration = "text-decoration"
  case textTransform = "text-transform"
  case textOverflow = "text-overflow"
  case whiteSpace = "white-space"
  case lineClamp = "-webkit-line-clamp"
  case boxOrient = "-webkit-box-orient"

  /// The form of a value.
  package enum Form: Hashable, Sendable {
    /// One of these, as they stand.
    case keywords([String])
    /// A number between bounds.
    case number(ClosedRange<Double>)
    /// `12px` or `0`; negative only if it says so.
    case length(isSigned: Bool)
    /// One to four lengths or percentages.
    case lengths
    /// One to four lengths. A percentage of a room that depends on the content makes a browser's
    /// layout take twice as long with each level: ten levels stop a page.
    case insets
    /// A length, a percentage, or `max-content`.
    case size
    /// `#rrggbb` or `#rrggbbaa`.
    case color
    /// A colour, or a gradient of colours.
    case paint
    /// `1px solid #rrggbb`.
    case border
    /// `0 2px 4px #rrggbbaa`.
    case shadow
    /// `translate(1px,2px)`, `rotate(3deg)`, `scale(1,1)`, or several.
    case transform
    /// Columns or rows of a grid.
    case tracks
    /// A circle, or a ring of a width: transparent inside.
    case ring
  }

  package var form: Form {
    switch self {
    case .display: .keywords(["flex", "grid", "block", "inline", "inline-flex", "-webkit-box"])
    case .flexDirection: .keywords(["row", "column"])
    case .flex: .keywords(["none", "0 1 auto", "1 1 0", "1 1 auto"])
    case .alignItems, .justifyItems, .alignSelf, .justifySelf:
      .keywords([
        "flex-start", "flex-end", "start", "center", "end", "stretch", "baseline",
        "last baseline",
      ])
    case .justifyContent:
      .keywords(["flex-start", "center", "flex-end", "space-between", "start", "end"])
    case .gap: .lengths
    case .gridTemplateColumns, .gridTemplateRows: .tracks
    case .gridAutoFlow: .keywords(["row", "column"])
    case .gridArea: .keywords(["1/1"])
    case .position: .keywords(["relative", "absolute"])
    case .inset: .keywords(["0"])
    case .width, .height, .minWidth, .maxWidth, .minHeight, .maxHeight: .size
    case .aspectRatio: .number(0.01...100)
    case .padding: .insets
    case .boxSizing: .keywords(["border-box"])
    case .overflow: .keywords(["hidden"])
    case .visibility: .keywords(["hidden"])
    case .background: .paint
    case .border: .border
    case .borderRadius: .lengths
    case .boxShadow: .shadow
    case .opacity: .number(0...1)
    case .transform: .transform
    case .mask: .ring
    case .color: .color
    case .fontFamily:
      .keywords([
        "system-ui,sans-serif", "ui-serif,serif", "ui-rounded,system-ui,sans-serif",
        "ui-monospace,monospace",
      ])
    case .fontSize: .length(isSigned: false)
    case .fontWeight: .number(100...900)
    case .fontStyle: .keywords(["italic", "normal"])
    case .fontVariantNumeric: .keywords(["tabular-nums"])
    case .lineHeight: .number(0.5...4)
    case .letterSpacing: .length(isSigned: true)
    case .textAlign: .keywords(["start", "center", "end"])
    case .textDecoration:
      .keywords(["underline", "line-through", "underline line-through", "none"])
    case .textTransform: .keywords(["uppercase", "lowercase"])
    case .textOverflow: .keywords(["ellipsis"])
    case .whiteSpace: .keywords(["pre-line", "nowrap"])
    case .lineClamp: .number(1...100)
    case .boxOrient: .keywords(["vertical"])
    }
  }
}
