#ifndef INTENTD_BOX_FILTER_H
#define INTENTD_BOX_FILTER_H

// The filter of system calls of a box: what Box.c puts into its bytes.

#include <linux/filter.h>
#include <stdint.h>

// Names that other libraries of a program may have too.
#pragma GCC visibility push(hidden)

/// Instructions of a filter; the longest that box_filter_make writes has fewer.
enum { BOX_FILTER_LENGTH_MAX = 400 };

struct box_filter {
    struct sock_filter code[BOX_FILTER_LENGTH_MAX];
    /// More than BOX_FILTER_LENGTH_MAX: they did not fit.
    uint32_t count;
};

/// Writes the filter for `flags` of `enum cposix_box_flag`, beside this version of Landlock.
void box_filter_make(struct box_filter *filter, uint32_t flags, int32_t landlock);

#pragma GCC visibility pop

#endif
