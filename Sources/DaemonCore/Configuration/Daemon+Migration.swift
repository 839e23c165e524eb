import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Migrates placed widgets after kinds or intents changed: each keeps the parameters that still fit
/// by name and type.
extension Daemon {
  mutating func migrateWidgets(at now: Now, into output: inout EngineOutput) {
    engine.followKinds(at: now.wall, into: &output)
    for id in engine.order {
      guard let widget = engine.widgets[id], let kind = engine.kinds[widget.kind] else { continue }
      guard let name = kind.intent else {
        if widget.configuration.intent != nil || widget.problem != nil {
          engine.migrate(
            id, to: .none, dropped: widget.configuration.parameters, at: now.wall, into: &output)
        }
        continue
      }
      // `apply` has reported an intent that no document defines; its widgets stay as they are.
      guard let definition = configuration.catalog.definition(named: name) else { continue }
      let isSame = widget.configuration.intent == name && widget.problem == nil
      if isSame, Self.fits(widget.configuration.parameters, definition) { continue }
      migrate(widget, to: definition, at: now, into: &output)
    }
  }

  private mutating func migrate(
    _ widget: Widget, to definition: IntentDefinition, at now: Now, into output: inout EngineOutput
  ) {
    var kept: JSONObject = [:]
    var dropped: JSONObject = [:]
    for member in widget.configuration.parameters.members {
      if let parameter = definition.parameter(named: member.key),
        Self.fits(member.value, parameter)
      {
        kept[member.key] = member.value
      } else {
        dropped[member.key] = member.value
      }
    }
    do throws(RPCError) {
      let intent = try resolve(definition.name, kept)
      engine.migrate(
        widget.id, to: WidgetConfiguration(intent), dropped: dropped, at: now.wall, into: &output)
    } catch {
      engine.setProblem(error.message, of: widget.id, at: now.wall, into: &output)
    }
  }

  /// Returns whether the values have all required parameters of the intent and no unknown ones.
  private static func fits(_ values: JSONObject, _ definition: IntentDefinition) -> Bool {
    for member in values.members where !member.value.isNull {
      guard let parameter = definition.parameter(named: member.key), fits(member.value, parameter)
      else { return false }
    }
    return definition.parameters.allSatisfy { parameter in
      !parameter.isRequired || parameter.relationship != nil
        || !(values[parameter.name]?.isNull ?? true)
    }
  }

  private static func fits(_ value: JSONValue, _ parameter: ParameterDefinition) -> Bool {
    if parameter.isArray {
      guard case .array(let items) = value else { return false }
      return items.allSatisfy { fits($0, type: parameter) }
    }
    return fits(value, type: parameter)
  }

  private static func fits(_ value: JSONValue, type parameter: ParameterDefinition) -> Bool {
    switch parameter.type {
    case .string, .date, .url: value.stringValue != nil
    case .integer: value.intValue != nil
    case .decimal, .duration: value.doubleValue != nil
    case .boolean: value.boolValue != nil
    case .enumeration:
      parameter.cases.isEmpty || parameter.cases.contains { .string($0.identifier) == value }
    case .place, .object: value.objectValue != nil || value.stringValue != nil
    }
  }
}
