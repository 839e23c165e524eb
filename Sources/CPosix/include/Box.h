#ifndef INTENTD_BOX_H
#define INTENTD_BOX_H

#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

/// Enters the box that `rules` describe: one flat, position-independent blob of `length` bytes.
///
/// Runs in the child, between its limits and its execve, and shares the parent's memory there: raw
/// system calls only, no allocation. Returns 0 or -errno; a child that cannot enter never runs.
int32_t cposix_box_enter(const void *_Nonnull rules, uint64_t length);

#endif
