import AppIntents
import Foundation

struct Parcel: AppEntity, Identifiable {
  enum Status {
    case ordered
    case out(eta: Date)
    case delivered

    var step: Int {
      switch self {
      case .ordered: 0
      case .out: 1
      case .delivered: 2
      }
    }

    var title: LocalizedStringResource {
      switch self {
      case .ordered: "Ordered"
      case .out: "On its way"
      case .delivered: "Delivered"
      }
    }
  }

  static let typeDisplayRepresentation: TypeDisplayRepresentation = "Parcel"
  static let defaultQuery = ParcelQuery()

  var id: Int
  @Property(title: "Name") var name: String
  var status: Status

  var displayRepresentation: DisplayRepresentation {
    .init(
      title: "\(name)", subtitle: status.title, image: .init(systemName: "shippingbox"),
      synonyms: ["the \(name)"])
  }

  init(id: Int, name: String, status: Status) {
    self.id = id
    self.status = status
    self.name = name
  }

  static var all: [Parcel] {
    [
      Parcel(id: 1, name: "Bicycle", status: .out(eta: .now.addingTimeInterval(5400))),
      Parcel(id: 2, name: "Teapot", status: .delivered),
    ]
  }
}

struct ParcelQuery: EntityQuery {
  func entities(for identifiers: [Parcel.ID]) async throws -> [Parcel] {
    Parcel.all.filter { identifiers.contains($0.id) }
  }

  func suggestedEntities() async throws -> [Parcel] { Parcel.all }
}
