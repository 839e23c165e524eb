// The box of a child: what it may reach beyond its own process.
#define _GNU_SOURCE
#include "Box.h"

#include <errno.h>

#include "ChildCode.h"

UNSANITIZED int32_t cposix_box_enter(const void *rules, uint64_t length) {
    (void)rules;
    (void)length;
    return -ENOSYS;
}
