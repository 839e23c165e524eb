// On iOS, importing WidgetKit imports Foundation too, and most files use `Date` and `URL` without
// an import of their own.
@_exported public import Foundation
