/// Builds the widgets of a bundle, with `if` and `if #available`.
///
/// Source: SwiftUI.
@resultBuilder
public struct WidgetBundleBuilder {
  /// Takes a widget.
  @MainActor @preconcurrency
  public static func buildExpression<W: Widget>(_ widget: W) -> _WidgetList {
    (widget as? _WidgetList) ?? _WidgetList([widget])
  }
  /// Takes a control, which nothing shows.
  @MainActor @preconcurrency
  public static func buildExpression<C: ControlWidget>(_ control: C) -> _WidgetList {
    _WidgetList([])
  }
  /// Takes widgets together.
  @MainActor @preconcurrency
  public static func buildBlock(_ lists: _WidgetList...) -> _WidgetList {
    _WidgetList(lists.flatMap(\.widgets))
  }
  /// Takes the widgets of an `if`.
  @MainActor @preconcurrency
  public static func buildOptional(_ list: _WidgetList?) -> _WidgetList {
    list ?? _WidgetList([])
  }
  /// Takes the widgets of an `if`.
  @MainActor @preconcurrency
  public static func buildEither(first list: _WidgetList) -> _WidgetList { list }
  /// Takes the widgets of an `else`.
  @MainActor @preconcurrency
  public static func buildEither(second list: _WidgetList) -> _WidgetList { list }
  /// Takes the widgets of an `if #available`.
  @MainActor @preconcurrency
  public static func buildLimitedAvailability(_ list: _WidgetList) -> _WidgetList { list }
}

/// Several widgets.
public struct _WidgetList: Widget {
  package let widgets: [any Widget]

  init(_ widgets: [any Widget]) { self.widgets = widgets }

  /// Makes an empty list.
  public init() { widgets = [] }
  /// It has none of its own.
  public var body: some WidgetConfiguration { EmptyWidgetConfiguration() }
}
