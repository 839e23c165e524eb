// On iOS a file that imports WidgetKit has Foundation too, and most use `Date` and `URL` without saying so.
@_exported public import Foundation
