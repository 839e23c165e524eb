// On iOS, importing WidgetKit imports these too, and most files have no import of their own.
@_exported public import AppIntents
@_exported public import FoundationAdditions
@_exported public import Intents
@_exported public import SwiftUI
