public import SwiftUI

extension Widget {
  /// Runs the program of this widget: it answers the requests of the daemon, or does what its
  /// arguments say.
  @MainActor @preconcurrency
  public static func main() { WidgetProgram(of: Self()).run() }
}

extension WidgetBundle {
  /// Runs the program of these widgets: it answers the requests of the daemon, or does what its
  /// arguments say.
  @MainActor @preconcurrency
  public static func main() { WidgetProgram(of: Self().body).run() }
}
