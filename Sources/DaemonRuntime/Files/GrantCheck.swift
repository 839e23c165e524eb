package import WidgetCenter

/// Finds out, before somebody grants them, whether permissions can be kept here.
package enum GrantCheck {
  /// Returns why a box with these permissions would be refused at each run; `nil`: it would not.
  ///
  /// Paths are resolved now, and again at each run.
  package static func refusal(
    of permissions: ProviderPermissions, for kind: WidgetKind, _ options: RuntimeOptions
  ) -> String? {
    do throws(ProviderBox.Refusal) {
      _ = try ProviderBox(options: options, cacheFolder: options.cacheFolder).box(
        of: kind.provider, permissions: permissions, cache: "\(options.cacheFolder)/\(kind.bundle)",
        landlockVersion: 1)
      return nil
    } catch {
      return error.reason
    }
  }
}
