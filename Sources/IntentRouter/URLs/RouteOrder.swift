/// Decides which of several routes a URL means, and which routes cannot be told apart.
///
/// Several patterns may fit one URL: `note://new`, `note://{number}` and `note://{title}` all fit
/// `note://new`. The most specific one whose values are right is taken. More specific is, at the
/// first difference from left to right:
///
/// 1. the host, then each path segment: a literal before a parameter;
/// 2. the fragment: a literal before a parameter, and a parameter before none;
/// 3. the query: more literal items before fewer;
/// 4. the parameters, in order: the narrower type first (a whole number, a boolean, a case, a
///    number, a date, a duration, a URL, a value of a list, any text).
///
/// Routes that are still equal fit the same URLs, and loading refuses the second; two routes of one
/// form with different literals in the query are not, nor two with the same parameters of another
/// type: a text that is no number is a title.
struct RouteRank: Comparable {
  private var ranks: [Int]

  init(_ route: Route, of definition: IntentDefinition) {
    func rank(_ part: Route.Part) -> Int {
      switch part {
      case .literal: 0
      case .parameter: 1
      }
    }
    ranks = [route.host.map(rank) ?? 0] + route.segments.map(rank)
    ranks.append(route.fragment.map(rank) ?? 2)
    ranks.append(-route.query.count(where: \.isLiteral))
    ranks += route.typeRanks(in: definition)
  }

  static func < (left: Self, right: Self) -> Bool {
    left.ranks.lexicographicallyPrecedes(right.ranks)
  }
}

extension Route {
  /// How narrow the types of host, path and fragment parameters are, from left to right.
  fileprivate func typeRanks(in definition: IntentDefinition) -> [Int] {
    let places = [host].compactMap { $0 } + segments + [fragment].compactMap { $0 }
    return places.compactMap { part in
      guard case .parameter(let name) = part else { return nil }
      return definition.parameter(named: name)?.typeRank ?? ParameterDefinition.widestTypeRank
    }
  }

  /// Whether some URL is of both routes and nothing says which one is meant.
  func isAmbiguous(
    with other: Route, of otherDefinition: IntentDefinition, seenFrom definition: IntentDefinition
  ) -> Bool {
    func shape(_ part: Part) -> Part {
      if case .parameter = part { return .parameter("") }
      return part
    }
    /// Hosts are compared in any case.
    func hostShape(_ part: Part) -> Part {
      if case .literal(let text) = part { return .literal(text.lowercased()) }
      return shape(part)
    }
    guard scheme == other.scheme, host.map(hostShape) == other.host.map(hostShape),
      segments.map(shape) == other.segments.map(shape),
      fragment.map(shape) == other.fragment.map(shape)
    else { return false }
    let literals = query.filter(\.isLiteral)
    let otherLiterals = other.query.filter(\.isLiteral)
    guard literals.count == otherLiterals.count else { return false }
    // `?view=day` and `?view=week` are two routes.
    for item in literals {
      if otherLiterals.contains(where: { $0.name == item.name && $0.part != item.part }) {
        return false
      }
    }
    return typeRanks(in: definition) == other.typeRanks(in: otherDefinition)
  }
}

extension Route.QueryPart {
  var isLiteral: Bool {
    if case .literal = part { return true }
    return false
  }
}

extension ParameterDefinition {
  fileprivate static let widestTypeRank = 100

  /// Smaller: fewer texts are of this type.
  fileprivate var typeRank: Int {
    switch type {
    // `1` is a number before it is a flag, and before it is a second.
    case .integer: 0
    case .boolean: 1
    case .enumeration: 2
    case .decimal: 3
    case .date: 4
    case .duration: 5
    case .url: 6
    // A list that lets others through takes any text.
    case .string, .place, .object: list == nil || allowsOtherValues ? Self.widestTypeRank : 50
    }
  }
}
