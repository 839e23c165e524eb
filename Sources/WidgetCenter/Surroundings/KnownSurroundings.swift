import Habits
import JSON
import Timekeeping

/// How the person reads and where the machine is, as far as anybody told: language, text size,
/// sizes of surfaces, time zone, days off, network, power, whether the session is locked.
struct KnownSurroundings: Hashable, Sendable {
  /// The language and region that providers are given, such as `en_US`.
  private(set) var locale = "en_US"
  /// Whether a surface said the locale; else it is the environment's.
  private var isLocaleSaid = false
  /// The locale that stored timelines were made for; `nil` when the store did not say.
  private var storedLocale: String?
  /// How large the person reads text.
  private(set) var textSize = TextSize.large
  /// Sizes that a surface gave, where they are not the usual ones.
  private var displaySizes: [WidgetFamily: DisplaySize] = [:]
  /// The largest size of each mode that surfaces have room for; empty: none said so yet.
  private var modeSizes: [WidgetMode: DisplaySize] = [:]
  /// Milliseconds that local time is ahead of UTC.
  private(set) var zoneOffset: Int64 = 0
  private(set) var networkIsUp = true
  private(set) var supply = MachineSupply()
  /// Whether the person's session is locked.
  private(set) var isLocked = false
  /// Weekends, and the days off that the person named.
  private(set) var daysOff = DaysOff.weekends

  /// Points that a widget of a family may fill.
  func displaySize(of family: WidgetFamily) -> DisplaySize {
    displaySizes[family] ?? family.displaySize
  }

  /// The largest size of a widget in a mode.
  ///
  /// Before any surface says one, it is that of the Today page.
  func maximumSize(in mode: WidgetMode) -> DisplaySize {
    let today = TodaySize()
    let usual = (mode == .expanded ? today.expanded : nil) ?? today.compact(textSize)
    return modeSizes[mode] ?? usual
  }

  /// Takes the largest size of each mode; a mode that is absent stays as it is.
  ///
  /// - Returns: the modes that have another size.
  mutating func setModeSizes(_ sizes: [WidgetMode: DisplaySize]) -> Set<WidgetMode> {
    let resized = sizes.filter { maximumSize(in: $0.key) != $0.value }
    modeSizes.merge(sizes) { _, new in new }
    return Set(resized.keys)
  }

  /// The local calendar with the person's days off.
  var localDays: LocalDays { LocalDays(zoneOffset: zoneOffset, isOff: daysOff.isOff) }

  /// A moment as the person lives it.
  func moment(_ wall: WallTime) -> BehaviourMoment {
    BehaviourMoment(wall: wall, offsetSeconds: Int(zoneOffset / 1_000), daysOff: daysOff)
  }

  // MARK: What others tell

  /// Takes the environment's locale, before any surface says one.
  mutating func setLocale(_ name: String) { locale = name }

  /// Takes what a surface says.
  ///
  /// - Returns: causes for a reload with the families that each changes, and whether anything has
  ///   to be stored.
  mutating func take(
    _ new: WidgetEngine.Surroundings
  ) -> (causes: [(ReloadCause, WidgetFamilies)], isNews: Bool) {
    var causes: [(ReloadCause, WidgetFamilies)] = []
    var isNews = false
    let every = WidgetFamilies(WidgetFamily.allCases)
    if let text = new.textSize, text != textSize {
      textSize = text
      causes.append((.textSize, every))
    }
    if let name = new.locale {
      isNews = !isLocaleSaid
      isLocaleSaid = true
      if name != locale {
        locale = name
        causes.append((.locale, every))
      }
    }
    let resized = new.displaySizes.filter { displaySize(of: $0.key) != $0.value }
    if !resized.isEmpty {
      for (family, size) in resized { displaySizes[family] = size }
      causes.append((.displaySize, WidgetFamilies(resized.keys)))
    }
    return (causes, isNews || !causes.isEmpty)
  }

  /// Takes what surfaces said to `other`.
  ///
  /// - Returns: whether anything has to be stored.
  mutating func tell(_ other: KnownSurroundings) -> Bool {
    let before = json
    locale = other.locale
    isLocaleSaid = other.isLocaleSaid
    textSize = other.textSize
    displaySizes = other.displaySizes
    modeSizes = other.modeSizes
    return json != before
  }

  /// Takes the offset of local time; `false` when it is the same.
  mutating func setZone(offset: Int64) -> Bool {
    guard offset != zoneOffset else { return false }
    zoneOffset = offset
    return true
  }

  /// Takes the days off; `false` when they are the same.
  mutating func setDaysOff(_ new: DaysOff) -> Bool {
    guard new != daysOff else { return false }
    daysOff = new
    return true
  }

  /// Takes whether there is a network; `false` when that is as it was.
  mutating func setNetwork(isUp: Bool) -> Bool {
    guard isUp != networkIsUp else { return false }
    networkIsUp = isUp
    return true
  }

  /// Takes whether the session is locked; `false` when that is as it was.
  mutating func setLocked(_ new: Bool) -> Bool {
    defer { isLocked = new }
    return new != isLocked
  }

  /// Takes what is known of the machine's power and network.
  mutating func setSupply(_ new: MachineSupply) { supply = new }

  /// Notes that timelines are made for the present locale from now on.
  ///
  /// - Returns: the locale that stored timelines were made for, and whether it was another or
  ///   unknown.
  mutating func updateStoredLocale() -> (before: String?, hasChanged: Bool) {
    let before = storedLocale
    storedLocale = locale
    return (before, before != locale)
  }

  // MARK: What the store keeps

  /// Zone, days off, network, power and the lock are told anew at each start.
  var json: JSONObject {
    var sizes: JSONObject = [:]
    for family in WidgetFamily.allCases {
      if let size = displaySizes[family] { sizes[family.rawValue] = size.json }
    }
    var kept: JSONObject = [
      "locale": .string(locale), "localeSaid": .bool(isLocaleSaid),
      "textSize": .string(textSize.rawValue), "displaySizes": .object(sizes),
    ]
    if !modeSizes.isEmpty { kept["modeSizes"] = modeSizes.json }
    return kept
  }

  /// Takes what the store kept; `false` when it cannot be read.
  mutating func restore(_ value: JSONValue) -> Bool {
    guard let text = value["textSize"]?.stringValue.flatMap({ TextSize(rawValue: $0) }),
      let name = value["locale"]?.stringValue, let sizes = value["displaySizes"]?.objectValue
    else { return false }
    textSize = text
    isLocaleSaid = value["localeSaid"]?.boolValue ?? false
    storedLocale = name
    if isLocaleSaid { locale = name }
    for member in sizes.members {
      guard let family = WidgetFamily(rawValue: member.key), let size = DisplaySize(member.value)
      else { return false }
      displaySizes[family] = size
    }
    modeSizes = [WidgetMode: DisplaySize](record: value["modeSizes"])
    return true
  }
}
