// The clock of the program, which a request may put forward or back.
//
// Providers of iOS ask `Date()`, not the request, and so a day that is simulated would look like
// today to them. This library defines the three functions of the C library that read the time of
// day. A definition in a program comes before that of any shared library, and the linker exports it
// because Foundation's library refers to it: so Foundation's `Date()` asks these.
//
// Time spans do not change: `CLOCK_MONOTONIC`, and the timers of the kernel, are as they were.

#ifndef INTENTD_CVIRTUALCLOCK_H
#define INTENTD_CVIRTUALCLOCK_H

#include <stdint.h>

// Puts the clock forward by so many milliseconds; 0 is the time of the system.
void virtual_clock_put_forward(int64_t milliseconds);

// The time of the system in milliseconds since 1970, whatever was put forward.
int64_t virtual_clock_system_time(void);

#endif
