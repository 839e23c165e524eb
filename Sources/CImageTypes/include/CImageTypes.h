// The Swift types of this program, by the records that the compiler leaves in it.
//
// Swift cannot ask which types conform to a protocol. The runtime of an extension has to know: an
// intent comes by its name, and nothing in the program need mention its type. So it reads the
// conformance records of the image that it is linked into. Their layout is part of Swift's stable
// binary interface (docs/ABI in the compiler's sources).

#ifndef INTENTD_CIMAGETYPES_H
#define INTENTD_CIMAGETYPES_H

#include <stddef.h>

// The number of conformances, and of types, that this image declares.
size_t image_conformance_count(void);
size_t image_type_count(void);

// The metadata of the type of a conformance, if it conforms to the protocol of `existential`, the
// metadata of `any P`; NULL for another protocol and for a generic type.
const void *_Nullable image_conforming_type(size_t index, const void *_Nonnull existential);

// The metadata of a class of this image; NULL where the type is none, or is generic.
const void *_Nullable image_class(size_t index);

#endif
