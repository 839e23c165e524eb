import CImageTypes

/// The types of this program, found by what they conform to or inherit from.
///
/// Costs a walk over all conformances of the program (a statically linked one has some ten
/// thousand), so a caller asks once.
package enum ImageTypes {
  /// Returns the types without generic parameters that conform to `existential`, such as
  /// `(any AppIntent).self`.
  ///
  /// A protocol of which no conformance may be missed in an optimised build, where nothing mentions
  /// the type, is declared with `@_alwaysEmitConformanceMetadata`.
  package static func conforming(to existential: Any.Type) -> [Any.Type] {
    let wanted = unsafeBitCast(existential, to: UnsafeRawPointer.self)
    return (0..<image_conformance_count()).compactMap { index in
      image_conforming_type(index, wanted).map { unsafeBitCast($0, to: (Any.Type).self) }
    }
  }

  /// Returns the classes that inherit from `ancestor`, without it.
  package static func inheriting<Ancestor: AnyObject>(
    from ancestor: Ancestor.Type
  ) -> [Ancestor.Type] {
    (0..<image_type_count()).compactMap { index in
      guard let metadata = image_class(index),
        let type = unsafeBitCast(metadata, to: (Any.Type).self) as? Ancestor.Type,
        type != ancestor
      else { return nil }
      return type
    }
  }
}
