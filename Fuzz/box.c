// Fuzzes the reader of a box's bytes: no byte is read beyond the end, and the box that is taken has
// the paths that it says it has.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "CPosix.h"

/// Builds a box from the bytes, as words of access and path: whatever is added, it stays whole.
static void build(const uint8_t *bytes, size_t length) {
    static _Alignas(8) char box[CPOSIX_BOX_BYTES_MAX];
    if (length < 2) return;
    if (cposix_box_begin(box, sizeof box, bytes[0], bytes[1] % 9) != 0) abort();
    size_t at = 2;
    while (at < length) {
        char path[512];
        size_t size = bytes[at++];
        if (size > length - at) size = length - at;
        memcpy(path, bytes + at, size);
        path[size] = 0;
        at += size;
        size_t before = cposix_box_length(box);
        int32_t status = cposix_box_add(box, sizeof box, path, size);
        if (status != 0 && cposix_box_length(box) != before) abort();
        if (status == 0 && path[0] != '/') abort();
    }
    if (!cposix_box_is_whole(box, cposix_box_length(box))) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    // A copy of its own: an access behind its last byte is found, and it is aligned.
    char *copy = malloc(length > 0 ? length : 1);
    if (copy == NULL) return 0;
    memcpy(copy, bytes, length);
    if (cposix_box_is_whole(copy, length)) {
        if (cposix_box_length(copy) != length) abort();
        const char *bus = cposix_box_bus(copy);
        if (bus != NULL && (bus < copy || bus + strlen(bus) >= copy + length)) abort();
    }
    free(copy);
    build(bytes, length);
    return 0;
}
