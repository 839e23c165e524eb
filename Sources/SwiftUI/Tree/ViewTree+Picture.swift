extension ViewTree {
  /// The picture as HTML; `nil`: it has more than 64 KiB, or is too deep.
  package func html(in scheme: ColorScheme, at date: Date) -> String? { nil }

  /// The picture as text for a terminal of `columns`.
  package func ansi(columns: Int, hasColours: Bool, at date: Date) -> String { "" }
}
