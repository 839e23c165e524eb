/// The types that a definition file of Xcode's (`.intentdefinition`) defines, as far as Swift code is
/// made of them.
package struct DefinedTypes: Hashable, Sendable {
  package var enumerations: [Enumeration] = []
  package var objects: [Object] = []
  package var intents: [Intent] = []

  package init() {}

  package struct Enumeration: Hashable, Sendable {
    package struct Case: Hashable, Sendable {
      package var name: String
      package var index: Int
    }
    /// The name of the Swift type.
    package var typeName: String
    /// The name for people.
    package var title: String
    /// At least one.
    package var cases: [Case]
  }

  /// A class of things with an identifier and a display string.
  package struct Object: Hashable, Sendable {
    package var typeName: String
    package var title: String
    /// Without the members that every object has.
    package var properties: [Property]
  }

  package struct Intent: Hashable, Sendable {
    /// The name by which the daemon knows the intent.
    package var name: String
    package var typeName: String
    package var title: String
    package var parameters: [Property]
    package var response: Response

    /// The beginning of the names of types that belong to the intent: the class without `Intent`.
    package var stem: String {
      typeName.hasSuffix("Intent") ? String(typeName.dropLast("Intent".count)) : typeName
    }
  }

  package struct Response: Hashable, Sendable {
    package struct Code: Hashable, Sendable {
      package var name: String
      /// The parameters that the sentences of the code name, each once, in their order.
      package var named: [String]
      /// The sentence for the person, with `${parameter}` where a value stands; empty: there is none.
      package var sentence = ""
      /// Whether the intent was done.
      package var isSuccess = false
    }
    package var codes: [Code] = []
    package var parameters: [Property] = []
  }

  /// A parameter of an intent or of a response, or a property of an object.
  package struct Property: Hashable, Sendable {
    package var name: String
    package var title: String
    package var type: ValueType
    package var isArray = false
    package var standard: Standard?
    /// Whether the handler offers values, and whether it searches for them.
    package var isDynamic = false
    package var isSearched = false
    /// Whether the handler resolves the value, and the names of its reasons against one.
    package var isResolved = false
    package var reasons: [String] = []
  }

  package enum ValueType: Hashable, Sendable {
    case text, whole, decimal, truth, interval, date, url
    case enumeration(String)
    case object(String)
  }

  /// The value of a property before it is set.
  package enum Standard: Hashable, Sendable {
    case text(String)
    case whole(Int64)
    case decimal(Double)
    case truth(Bool)
    case enumerationCase(String)
  }
}
