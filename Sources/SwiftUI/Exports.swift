// Files that import SwiftUI alone use Foundation, as on iOS.
@_exported public import FoundationAdditions
