public import Foundation

/// A value within its bounds.
///
/// Source: SwiftUI.
public struct Gauge<Label, CurrentValueLabel, BoundsLabel, MarkedValueLabels> {
  let fraction: Double
  let label: Label
  let currentValueLabel: CurrentValueLabel?
  let minimumValueLabel: BoundsLabel?
  let maximumValueLabel: BoundsLabel?
  let markedValueLabels: MarkedValueLabels?

  private init<V: BinaryFloatingPoint>(
    _ value: V, _ bounds: ClosedRange<V>, _ label: Label, current: CurrentValueLabel? = nil,
    minimum: BoundsLabel? = nil, maximum: BoundsLabel? = nil, marked: MarkedValueLabels? = nil
  ) {
    fraction = fractionOf(
      Double(value), from: Double(bounds.lowerBound), to: Double(bounds.upperBound))
    self.label = label
    currentValueLabel = current
    minimumValueLabel = minimum
    maximumValueLabel = maximum
    markedValueLabels = marked
  }
}

/// The place of a value between two bounds, from 0 to 1.
private func fractionOf(_ value: Double, from lower: Double, to upper: Double) -> Double {
  guard upper > lower, value.isFinite else { return 0 }
  return min(max((value - lower) / (upper - lower), 0), 1)
}

extension Gauge: View, TreeView
where Label: View, CurrentValueLabel: View, BoundsLabel: View, MarkedValueLabels: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    if let style = evaluation.environment.ownGaugeStyle {
      let configuration = GaugeStyleConfiguration(
        value: fraction, label: .init(label),
        currentValueLabel: currentValueLabel.map { .init($0) },
        minimumValueLabel: minimumValueLabel.map { .init($0) },
        maximumValueLabel: maximumValueLabel.map { .init($0) })
      // The style draws the measure; the node keeps its fraction for the content.
      var picture = MeasurePicture(form: .drawn, fraction: fraction, labels: [])
      let children = evaluation.children(of: AnyView(style.body(of: configuration)))
      picture.labels = children.map { _ in .drawn }
      return evaluation.append(ViewNode(.measure(picture), children: children))
    }
    var picture = MeasurePicture(
      form: evaluation.environment.gaugeForm, fraction: fraction, labels: [])
    var children: [ViewNode] = []
    add(currentValueLabel, .currentValue, &picture, &children, &evaluation)
    add(minimumValueLabel, .minimum, &picture, &children, &evaluation)
    add(maximumValueLabel, .maximum, &picture, &children, &evaluation)
    add(label, .title, &picture, &children, &evaluation)
    evaluation.append(ViewNode(.measure(picture), children: children))
  }

  /// Makes a gauge.
  public init<V: BinaryFloatingPoint>(
    value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label
  ) where CurrentValueLabel == EmptyView, BoundsLabel == EmptyView, MarkedValueLabels == EmptyView {
    self.init(value, bounds, label())
  }

  /// Makes a gauge with a label of its value.
  public init<V: BinaryFloatingPoint>(
    value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
    @ViewBuilder currentValueLabel: () -> CurrentValueLabel
  ) where BoundsLabel == EmptyView, MarkedValueLabels == EmptyView {
    self.init(value, bounds, label(), current: currentValueLabel())
  }

  /// Makes a gauge with labels of its value and its bounds.
  public init<V: BinaryFloatingPoint>(
    value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
    @ViewBuilder currentValueLabel: () -> CurrentValueLabel,
    @ViewBuilder minimumValueLabel: () -> BoundsLabel,
    @ViewBuilder maximumValueLabel: () -> BoundsLabel
  ) where MarkedValueLabels == EmptyView {
    self.init(
      value, bounds, label(), current: currentValueLabel(), minimum: minimumValueLabel(),
      maximum: maximumValueLabel())
  }

  /// Makes a gauge with labels of its value and of marked values, which have no picture.
  public init<V: BinaryFloatingPoint>(
    value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
    @ViewBuilder currentValueLabel: () -> CurrentValueLabel,
    @ViewBuilder markedValueLabels: () -> MarkedValueLabels
  ) where BoundsLabel == EmptyView {
    self.init(
      value, bounds, label(), current: currentValueLabel(), marked: markedValueLabels())
  }

  /// Makes a gauge with every label.
  public init<V: BinaryFloatingPoint>(
    value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
    @ViewBuilder currentValueLabel: () -> CurrentValueLabel,
    @ViewBuilder minimumValueLabel: () -> BoundsLabel,
    @ViewBuilder maximumValueLabel: () -> BoundsLabel,
    @ViewBuilder markedValueLabels: () -> MarkedValueLabels
  ) {
    self.init(
      value, bounds, label(), current: currentValueLabel(), minimum: minimumValueLabel(),
      maximum: maximumValueLabel(), marked: markedValueLabels())
  }
}

/// Appends a label of a measure, if it shows anything.
@MainActor
private func add<V: View>(
  _ view: V?, _ label: MeasurePicture.Label, _ picture: inout MeasurePicture,
  _ children: inout [ViewNode], _ evaluation: inout Evaluation
) {
  guard let view, let node = evaluation.child(of: view) else { return }
  picture.labels.append(label)
  children.append(node)
}

/// How far a task is.
public struct ProgressView<Label, CurrentValueLabel> {
  let fraction: Double?
  let interval: LiveInterval?
  let label: Label?
  let currentValueLabel: CurrentValueLabel?

  private init(
    fraction: Double?, interval: LiveInterval? = nil, label: Label?, current: CurrentValueLabel?
  ) {
    self.fraction = fraction
    self.interval = interval
    self.label = label
    currentValueLabel = current
  }

  private init<V: BinaryFloatingPoint>(
    _ value: V?, total: V, label: Label?, current: CurrentValueLabel?
  ) {
    self.init(
      fraction: value.map { fractionOf(Double($0), from: 0, to: Double(total)) }, label: label,
      current: current)
  }
}

extension ProgressView: View, TreeView where Label: View, CurrentValueLabel: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    if let style = evaluation.environment.ownProgressStyle {
      let configuration = ProgressViewStyleConfiguration(
        fractionCompleted: fraction, label: label.map { .init($0) },
        currentValueLabel: currentValueLabel.map { .init($0) })
      var picture = MeasurePicture(form: .drawn, fraction: fraction, interval: interval, labels: [])
      let children = evaluation.children(of: AnyView(style.body(of: configuration)))
      picture.labels = children.map { _ in .drawn }
      return evaluation.append(ViewNode(.measure(picture), children: children))
    }
    let chosen = evaluation.environment.progressForm
    let form =
      fraction == nil && interval == nil ? MeasurePicture.Form.spinner : chosen ?? .line
    var picture = MeasurePicture(form: form, fraction: fraction, interval: interval, labels: [])
    var children: [ViewNode] = []
    add(label, .title, &picture, &children, &evaluation)
    add(currentValueLabel, .currentValue, &picture, &children, &evaluation)
    evaluation.append(ViewNode(.measure(picture), children: children))
  }
}

extension ProgressView where CurrentValueLabel == EmptyView {
  /// Makes the progress of a task of which nobody knows how far it is.
  public init() where Label == EmptyView { self.init(fraction: nil, label: nil, current: nil) }

  /// Makes the progress of a task of which nobody knows how far it is.
  public init(@ViewBuilder label: () -> Label) {
    self.init(fraction: nil, label: label(), current: nil)
  }

  /// Makes the progress of a task of which nobody knows how far it is.
  public init(_ titleKey: LocalizedStringKey) where Label == Text {
    self.init(fraction: nil, label: Text(titleKey), current: nil)
  }

  /// Makes the progress of a task of which nobody knows how far it is.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S) where Label == Text {
    self.init(fraction: nil, label: Text(title), current: nil)
  }

  /// Makes the progress of a task.
  public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) where Label == EmptyView {
    self.init(value, total: total, label: nil, current: nil)
  }

  /// Makes the progress of a task.
  public init<V: BinaryFloatingPoint>(
    value: V?, total: V = 1.0, @ViewBuilder label: () -> Label
  ) {
    self.init(value, total: total, label: label(), current: nil)
  }

  /// Makes the progress of a task with a title.
  public init<V: BinaryFloatingPoint>(
    _ titleKey: LocalizedStringKey, value: V?, total: V = 1.0
  ) where Label == Text {
    self.init(value, total: total, label: Text(titleKey), current: nil)
  }

  /// Makes the progress of a task with a title.
  @_disfavoredOverload
  public init<S: StringProtocol, V: BinaryFloatingPoint>(_ title: S, value: V?, total: V = 1.0)
  where Label == Text {
    self.init(value, total: total, label: Text(title), current: nil)
  }

  /// Makes the progress of a task of Foundation.
  public init(_ progress: Progress) where Label == EmptyView {
    self.init(fraction: progress.fractionCompleted, label: nil, current: nil)
  }
}

extension ProgressView {
  /// Makes the progress of a task with a label of its value.
  public init<V: BinaryFloatingPoint>(
    value: V?, total: V = 1.0, @ViewBuilder label: () -> Label,
    @ViewBuilder currentValueLabel: () -> CurrentValueLabel
  ) {
    self.init(value, total: total, label: label(), current: currentValueLabel())
  }

  /// Makes a progress that follows the clock.
  public init(
    timerInterval: ClosedRange<Date>, countsDown: Bool = true, @ViewBuilder label: () -> Label,
    @ViewBuilder currentValueLabel: () -> CurrentValueLabel
  ) {
    self.init(
      fraction: nil, interval: LiveInterval(timerInterval, countsDown: countsDown), label: label(),
      current: currentValueLabel())
  }

  /// Makes a progress that follows the clock and shows the time.
  public init(
    timerInterval: ClosedRange<Date>, countsDown: Bool = true, @ViewBuilder label: () -> Label
  ) where CurrentValueLabel == DefaultDateProgressLabel {
    self.init(
      fraction: nil, interval: LiveInterval(timerInterval, countsDown: countsDown), label: label(),
      current: DefaultDateProgressLabel(interval: timerInterval, countsDown: countsDown))
  }

  /// Makes a progress that follows the clock and shows the time.
  public init(timerInterval: ClosedRange<Date>, countsDown: Bool = true)
  where Label == EmptyView, CurrentValueLabel == DefaultDateProgressLabel {
    self.init(
      fraction: nil, interval: LiveInterval(timerInterval, countsDown: countsDown), label: nil,
      current: DefaultDateProgressLabel(interval: timerInterval, countsDown: countsDown))
  }
}

extension LiveInterval {
  init(_ range: ClosedRange<Date>, countsDown: Bool) {
    self.init(start: range.lowerBound, end: range.upperBound, countsDown: countsDown)
  }
}

/// The time of a progress that follows the clock.
public struct DefaultDateProgressLabel: View {
  let interval: ClosedRange<Date>
  let countsDown: Bool

  nonisolated init(interval: ClosedRange<Date>, countsDown: Bool) {
    self.interval = interval
    self.countsDown = countsDown
  }

  /// The time.
  public var body: some View { Text(timerInterval: interval, countsDown: countsDown) }
}
