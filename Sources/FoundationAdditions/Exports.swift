// Files of iOS use `Date` and `URL` without an import of their own, and `URLSession`, which is a
// module of its own here.
@_exported public import Foundation
@_exported public import FoundationNetworking
