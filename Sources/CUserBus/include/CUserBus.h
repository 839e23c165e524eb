#ifndef INTENTD_CUSERBUS_H
#define INTENTD_CUSERBUS_H

// The person's session bus, as far as starting applications and providers needs it: a small part of
// sd-bus.
//
// libsystemd is loaded with dlopen when the bus is first opened: a daemon that opens no application
// does not pay for it, and one on a machine without systemd still starts. All calls of one bus come
// from one thread. Functions that can fail return 0 or more on success, or -errno.

#include <stdbool.h>
#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

struct cuserbus;

/// What a message of the bus was about.
enum cuserbus_event {
    /// A call was answered; `text` is empty, or the answer's number in decimal digits, or its
    /// strings, a line each.
    CUSERBUS_ANSWERED = 0,
    /// A call was refused, or was not answered in time; `name` is the error's name on the bus.
    CUSERBUS_REFUSED = 1,
    /// A job of the user manager ended; `name` is its unit, `text` its result (`done`, `failed`, …).
    CUSERBUS_JOB_ENDED = 2,
};

/// Is called from `cuserbus_process` with what a message said. The strings end with the call.
typedef void (*cuserbus_handler)(void *_Nullable context, enum cuserbus_event event,
                                 uint64_t number, const char *_Nonnull name,
                                 const char *_Nonnull text);

/// Begins to connect to the bus at `address` (D-Bus syntax); if `hears_jobs`, asks the user manager
/// for the ends of jobs.
///
/// Returns -ENOSYS if there is no libsystemd.
int32_t cuserbus_open(const char *_Nonnull address, bool hears_jobs,
                      cuserbus_handler _Nonnull handler, void *_Nullable context,
                      struct cuserbus *_Nullable *_Nonnull bus);

/// Ends the connection; no handler is called any more.
void cuserbus_close(struct cuserbus *_Nullable bus);

/// What to wait for before the next `cuserbus_process`.
struct cuserbus_wait {
    int32_t descriptor;
    bool readable;
    bool writable;
    /// The latest moment on CLOCK_MONOTONIC, microseconds; UINT64_MAX stands for none.
    uint64_t deadline;
};
int32_t cuserbus_wait(struct cuserbus *_Nonnull bus, struct cuserbus_wait *_Nonnull wait);

/// Handles one message. Returns 1 if there may be more, 0 if there are none for now, or -errno when
/// the connection is lost.
int32_t cuserbus_process(struct cuserbus *_Nonnull bus);

/// A transient service to start. The pointers must be valid during the call only.
struct cuserbus_unit {
    /// `app-….service`.
    const char *_Nonnull name;
    const char *_Nonnull description;
    /// An absolute path.
    const char *_Nonnull program;
    /// NULL-terminated; handed over byte for byte: nothing in them is expanded.
    char *_Nullable const *_Nonnull arguments;
    /// An absolute path.
    const char *_Nonnull directory;
    /// NULL-terminated, `NAME=value`: added to the environment of the user manager.
    char *_Nullable const *_Nonnull environment;
    /// The desktop entry; an absolute path.
    const char *_Nonnull source;
};

/// Asks the user manager to start a service in `app.slice`; the answer has this `number`.
///
/// The answer says that the job was taken. `CUSERBUS_JOB_ENDED` says how it ended.
int32_t cuserbus_start_unit(struct cuserbus *_Nonnull bus,
                            const struct cuserbus_unit *_Nonnull unit, uint64_t number);

/// Asks for the main process of a service; the answer has its number as text.
int32_t cuserbus_main_process(struct cuserbus *_Nonnull bus, const char *_Nonnull unit,
                              uint64_t number);

/// The most bytes of the user manager's variables that are read; more are left out.
enum { CUSERBUS_ENVIRONMENT_BYTES_MAX = 256 * 1024 };

/// Asks for the variables of the user manager; the answer has them as `NAME=value`, without those
/// that have a line break.
int32_t cuserbus_environment(struct cuserbus *_Nonnull bus, uint64_t number);

/// Asks NetworkManager, on the system bus, whether the network costs; the answer has the number of
/// its property `Metered`. A NetworkManager that does not run is not started for it.
int32_t cuserbus_metered(struct cuserbus *_Nonnull bus, uint64_t number);

/// Asks an application to open a URL (org.freedesktop.Application.Open), or, without one, to come
/// to the front (Activate). `token` is an activation token, or NULL.
int32_t cuserbus_open_application(struct cuserbus *_Nonnull bus, const char *_Nonnull name,
                                  const char *_Nonnull path, const char *_Nullable url,
                                  const char *_Nullable token, uint64_t number);

#endif
