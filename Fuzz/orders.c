// Fuzzes the reader of the supervisor's orders: no byte is read beyond the end, and what is read is
// whole.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "CPosix.h"

static size_t count_strings(char **list, const char *start, const char *end) {
    size_t count = 0;
    for (; list[count] != NULL; count++) {
        if (list[count] < start || list[count] + strlen(list[count]) >= end) abort();
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static struct cposix_read_order read;
    // A copy of its own: an access behind its last byte is found, and it is aligned.
    char *copy = malloc(length > 0 ? length : 1);
    if (copy == NULL) return 0;
    memcpy(copy, bytes, length);
    if (cposix_order_read(copy, length, &read) && read.order.type == CPOSIX_ORDER_START) {
        const char *end = copy + length;
        if (count_strings(read.arguments, copy, end) != read.order.argument_count) abort();
        if (count_strings(read.environment, copy, end) != read.order.environment_count) abort();
        if (read.program + strlen(read.program) >= end) abort();
        if (read.directory + strlen(read.directory) >= end) abort();
        if (read.cache + strlen(read.cache) >= end) abort();
        if (read.box != NULL && (const char *)read.box + read.order.box_length > end) abort();
    }
    free(copy);
    return 0;
}
