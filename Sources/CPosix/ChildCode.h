#ifndef INTENTD_CHILD_CODE_H
#define INTENTD_CHILD_CODE_H

// For code that runs in a child that shares its parent's memory; Child.c has the rules.

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__clang__)
#define UNSANITIZED __attribute__((disable_sanitizer_instrumentation))
#else
#define UNSANITIZED __attribute__((no_sanitize_address, no_sanitize_thread))
#endif

/// Makes a system call and returns the kernel's answer, which is -errno if it failed.
///
/// glibc's syscall() writes to `errno`, a variable that a child shares with its parent.
#if defined(__x86_64__)
#define HAS_RAW_CALLS 1
UNSANITIZED static inline long raw_call(long number, long first, long second, long third,
                                        long fourth, long fifth) {
    register long r10 __asm__("r10") = fourth;
    register long r8 __asm__("r8") = fifth;
    long answer;
    __asm__ volatile("syscall"
                     : "=a"(answer)
                     : "a"(number), "D"(first), "S"(second), "d"(third), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return answer;
}
#elif defined(__aarch64__)
#define HAS_RAW_CALLS 1
UNSANITIZED static inline long raw_call(long number, long first, long second, long third,
                                        long fourth, long fifth) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = first;
    register long x1 __asm__("x1") = second;
    register long x2 __asm__("x2") = third;
    register long x3 __asm__("x3") = fourth;
    register long x4 __asm__("x4") = fifth;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
                     : "memory");
    return x0;
}
#else
#define HAS_RAW_CALLS 0
UNSANITIZED static inline long raw_call(long number, long first, long second, long third,
                                        long fourth, long fifth) {
    long answer = syscall(number, first, second, third, fourth, fifth);
    return answer < 0 ? -errno : answer;
}
#endif

#endif
