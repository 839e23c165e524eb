import IntentProtocol
import JSON

/// The person's languages as a member of a request: names, titles and questions come in the first
/// that they have.
var personsLanguages: JSONObject {
  ["languages": .array(languageOrder(for: "", environment: environment).map(JSONValue.string))]
}
