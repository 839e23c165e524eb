import IntentProtocol
import JSON
import JSONRPC
import WidgetCenter

extension RPCError {
  /// Turns a refusal of the engine into one with a code of the wire.
  init(_ error: WidgetError) {
    let suggestions = JSONValue.array(error.suggestions.map { .string($0) })
    switch error.code {
    case .unknownWidget:
      self.init(.unknownWidget, error.message, details: ["suggestions": suggestions])
    case .unknownKind: self.init(.unknownKind, error.message, details: ["suggestions": suggestions])
    case .unsupportedFamily:
      self.init(.unsupportedFamily, error.message, details: ["families": suggestions])
    case .unsupportedMode:
      self.init(.unsupportedMode, error.message, details: ["modes": suggestions])
    case .limitReached:
      self.init(
        .limitReached, error.message,
        details: ["max": .int(Int64(WidgetCenter.Limits.widgetCountMax))])
    case .tooManyValues:
      self.init(
        .limitReached, error.message,
        details: ["max": .int(Int64(WidgetCenter.Limits.valuesBytesMax))])
    case .tooManySurfaces:
      self.init(
        .limitReached, error.message,
        details: ["max": .int(Int64(WidgetCenter.Limits.expandedSurfaceCountMax))])
    case .widgetExists: self.init(.widgetExists, error.message)
    case .invalidID:
      let lengthMax = WidgetCenter.Limits.widgetIDLengthMax
      let expected = "letters, digits, '.', '-' and '_', at most \(lengthMax)"
      self = .invalidParams(
        error.message, data: ["parameter": "id", "expected": .string(expected)])
    }
  }
}
