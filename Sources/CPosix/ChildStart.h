#ifndef INTENTD_CHILD_START_H
#define INTENTD_CHILD_START_H

// Starts of children for which nobody waits: for the supervisor, which has others to care for.

#include <stdbool.h>
#include <stdint.h>

#include "CPosix.h"

#pragma GCC visibility push(hidden)

enum { CHILD_STACK_BYTES = 64 * 1024 };

/// One start. The child shares this process' memory until it runs its program or ends.
struct child_start {
    const struct cposix_child_request *request;
    /// The process that starts it: a child that has another parent is nobody's any more.
    pid_t parent;
    /// The `enum cposix_child_step` that failed, and its errno; 0: none did so far.
    volatile int32_t failed_step;
    volatile int32_t error;
    /// 1 while the child uses this memory; the kernel writes the 0.
    volatile uint32_t uses_memory;
};

/// Starts a child without a box; returns its number, or -errno.
///
/// `start`, its request with all that it points to, and `stack` (CHILD_STACK_BYTES, aligned to 16)
/// must stay as they are until `child_uses_memory` is false. Whether the start has failed is known
/// from then on: such a child has ended with code 127.
int32_t child_begin(struct child_start *start, char *stack);

bool child_uses_memory(const struct child_start *start);

#pragma GCC visibility pop

#endif
