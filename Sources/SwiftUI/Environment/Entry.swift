/// Makes a variable in an extension of `EnvironmentValues` a value of the environment, with a key of
/// its own: `@Entry var spacing: Double = 8`.
///
/// Source: SwiftUI. Its default is what is written behind the name; that of an optional type without
/// one is `nil`.
@attached(accessor)
@attached(peer, names: prefixed(__Key_))
public macro Entry() = #externalMacro(module: "PreviewMacros", type: "EntryMacro")
