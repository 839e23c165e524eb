import Glibc
import IntentProtocol
import JSON

/// Returns `session` of `surface.attach` for a command that shows widgets: the variables by which
/// scripts reach the screen that it runs on; `nil`: it runs on none.
func ownSession() -> JSONValue? {
  // A value that is no UTF-8 would arrive as another one.
  let found = SessionVariable.session { name in
    getenv(name).flatMap { String(validatingCString: $0) }
  }
  guard let found else { return nil }
  return .object(JSONObject(found.map { .init(key: $0.name, value: .string($0.value)) }))
}
