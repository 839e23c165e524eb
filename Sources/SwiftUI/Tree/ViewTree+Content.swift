package import JSON

extension ViewTree {
  /// The content of an entry, as docs/WIDGETS.md has it; `date` is the entry's.
  package func content(for family: WidgetFamily, at date: Date) -> JSONObject { [:] }
}
