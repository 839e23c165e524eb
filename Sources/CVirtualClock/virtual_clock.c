#define _GNU_SOURCE
#include "CVirtualClock.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t forward_milliseconds;

typedef int (*clock_reader)(clockid_t, struct timespec *);

// The C library's own function reads the clock without entering the kernel. A program that is linked
// without shared libraries has none besides this one.
static int system_clock(clockid_t clock, struct timespec *time) {
  static _Atomic(clock_reader) known;
  static atomic_bool is_searched;
  clock_reader reader = atomic_load_explicit(&known, memory_order_acquire);
  if (reader == NULL && !atomic_load_explicit(&is_searched, memory_order_acquire)) {
    reader = (clock_reader)dlsym(RTLD_NEXT, "clock_gettime");
    atomic_store_explicit(&known, reader, memory_order_release);
    atomic_store_explicit(&is_searched, 1, memory_order_release);
  }
  return reader != NULL ? reader(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
}

void virtual_clock_put_forward(int64_t milliseconds) {
  atomic_store_explicit(&forward_milliseconds, milliseconds, memory_order_relaxed);
}

int64_t virtual_clock_system_time(void) {
  struct timespec time = {0, 0};
  system_clock(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = system_clock(clock, time);
  if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
  int64_t forward = atomic_load_explicit(&forward_milliseconds, memory_order_relaxed);
  if (forward == 0) return 0;
  time->tv_sec += forward / 1000;
  time->tv_nsec += forward % 1000 * 1000000;
  if (time->tv_nsec < 0) {
    time->tv_nsec += 1000000000;
    time->tv_sec -= 1;
  } else if (time->tv_nsec >= 1000000000) {
    time->tv_nsec -= 1000000000;
    time->tv_sec += 1;
  }
  return 0;
}

__attribute__((visibility("default"))) int gettimeofday(struct timeval *restrict time,
                                                        void *restrict zone) {
  (void)zone;
  struct timespec precise;
  if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
  time->tv_sec = precise.tv_sec;
  time->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

__attribute__((visibility("default"))) time_t time(time_t *result) {
  struct timespec precise;
  if (clock_gettime(CLOCK_REALTIME_COARSE, &precise) != 0) return (time_t)-1;
  if (result != NULL) *result = precise.tv_sec;
  return precise.tv_sec;
}
