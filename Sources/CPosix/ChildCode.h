#ifndef INTENTD_CHILD_CODE_H
#define INTENTD_CHILD_CODE_H

// For code that runs in a child that shares its parent's memory; Child.c has the rules.

#if defined(__clang__)
#define UNSANITIZED __attribute__((disable_sanitizer_instrumentation))
#else
#define UNSANITIZED __attribute__((no_sanitize_address, no_sanitize_thread))
#endif

#endif
