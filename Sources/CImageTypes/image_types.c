#include "CImageTypes.h"

#include <stdint.h>

// The linker defines the bounds of each section whose name is an identifier. The attribute keeps
// them from meaning another image's.
#define SECTION(name)                                                                  \
  extern const int32_t __start_##name[] __attribute__((visibility("hidden"), weak));   \
  extern const int32_t __stop_##name[] __attribute__((visibility("hidden"), weak));
SECTION(swift5_protocol_conformances)
SECTION(swift5_type_metadata)

// A relative pointer; its lowest bit says that it points to a pointer.
static const void *follow(const int32_t *field) {
  int32_t offset = *field;
  if (offset == 0) return NULL;
  const char *target = (const char *)field + (offset & ~1);
  return offset & 1 ? *(const void *const *)target : target;
}

size_t image_conformance_count(void) {
  return (size_t)(__stop_swift5_protocol_conformances - __start_swift5_protocol_conformances);
}

size_t image_type_count(void) {
  return (size_t)(__stop_swift5_type_metadata - __start_swift5_type_metadata);
}

enum { kind_class = 16, kind_struct = 17, kind_enum = 18, kind_mask = 0x1f, is_generic = 0x80 };

typedef struct {
  const void *metadata;
  size_t state;
} metadata_response;

typedef __attribute__((swiftcall)) metadata_response (*metadata_accessor)(size_t request);

// The metadata of the type of a descriptor: flags, parent, name, accessor.
static const void *metadata_of(const int32_t *descriptor) {
  uint32_t kind = (uint32_t)descriptor[0] & kind_mask;
  if (kind != kind_class && kind != kind_struct && kind != kind_enum) return NULL;
  if (descriptor[0] & is_generic || descriptor[3] == 0) return NULL;
  metadata_accessor accessor = (metadata_accessor)((const char *)&descriptor[3] + descriptor[3]);
  return accessor(0).metadata;
}

// The descriptor of the only protocol of an existential type: kind, flags and count come before it.
static const void *protocol_of(const void *existential) {
  const uint32_t *words = (const uint32_t *)((const uintptr_t *)existential + 1);
  return words[1] == 1 ? *(const void *const *)(words + 2) : NULL;
}

const void *image_conforming_type(size_t index, const void *existential) {
  const int32_t *record = &__start_swift5_protocol_conformances[index];
  // A conformance: protocol, type, witness table, flags. Bits 3 to 5 of the flags say how the type
  // is referred to: 0 is a descriptor, 1 a pointer to one.
  const int32_t *conformance = (const int32_t *)follow(record);
  if (conformance == NULL || follow(&conformance[0]) != protocol_of(existential)) return NULL;
  uint32_t reference = ((uint32_t)conformance[3] >> 3) & 7;
  const char *type = (const char *)&conformance[1] + conformance[1];
  if (reference == 1) type = *(const char *const *)type;
  if (reference > 1 || type == NULL) return NULL;
  return metadata_of((const int32_t *)type);
}

const void *image_class(size_t index) {
  const int32_t *record = &__start_swift5_type_metadata[index];
  // The two lowest bits: 0 is a descriptor, 1 a pointer to one.
  int32_t offset = *record;
  const char *target = (const char *)record + (offset & ~3);
  if ((offset & 3) == 1) target = *(const char *const *)target;
  if ((offset & 3) > 1 || target == NULL) return NULL;
  if ((((const uint32_t *)target)[0] & kind_mask) != kind_class) return NULL;
  return metadata_of((const int32_t *)target);
}
