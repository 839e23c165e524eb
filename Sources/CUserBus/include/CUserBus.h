#ifndef INTENTD_CUSERBUS_H
#define INTENTD_CUSERBUS_H

// A bus of messages, as far as its clients need it: a small part of sd-bus.
//
// libsystemd is loaded with dlopen when the bus is first opened: a program that needs no bus does
// not pay for it, and one on a machine without systemd still starts. Recursion into messages and its
// limits are in Swift; here is one step at a time. All calls of one bus come from one thread.
// Functions that can fail return 0 or more on success, or -errno.

#include <stdbool.h>
#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

struct cuserbus;
/// A message, counted as sd-bus counts it.
struct cuserbus_message;
/// Something that is heard until it is cancelled: signals that match a rule, or calls.
struct cuserbus_slot;

/// The reason for which a message came.
enum cuserbus_event {
    /// It answers the call with this number, or refuses it.
    CUSERBUS_ANSWER = 0,
    /// It is a signal for the rule with this number.
    CUSERBUS_SIGNAL = 1,
    /// It calls a method below the path that is served with this number.
    CUSERBUS_CALL = 2,
};

/// Is called from `cuserbus_process` with a message, which ends with the call unless it is kept.
typedef void (*cuserbus_handler)(void *_Nullable context, enum cuserbus_event event,
                                 uint64_t number, struct cuserbus_message *_Nonnull message);

/// Begins to connect to the bus at `address` (D-Bus syntax).
///
/// Returns -ENOSYS if there is no libsystemd.
int32_t cuserbus_open(const char *_Nonnull address, cuserbus_handler _Nonnull handler,
                      void *_Nullable context, struct cuserbus *_Nullable *_Nonnull bus);

/// Ends the connection; no handler is called any more. Slots must be cancelled before.
void cuserbus_close(struct cuserbus *_Nullable bus);

/// The events to wait for before the next `cuserbus_process`.
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

// What is heard.

/// Hears the signals of a match rule.
int32_t cuserbus_match(struct cuserbus *_Nonnull bus, const char *_Nonnull rule, uint64_t number,
                       struct cuserbus_slot *_Nullable *_Nonnull slot);

/// Hears the calls of all objects at a path and below it.
int32_t cuserbus_serve(struct cuserbus *_Nonnull bus, const char *_Nonnull path, uint64_t number,
                       struct cuserbus_slot *_Nullable *_Nonnull slot);

void cuserbus_cancel(struct cuserbus_slot *_Nonnull slot);

// Messages.

struct cuserbus_message *_Nonnull cuserbus_keep(struct cuserbus_message *_Nonnull message);
void cuserbus_drop(struct cuserbus_message *_Nonnull message);

/// The head of a message. A text is NULL where the message does not have it.
struct cuserbus_head {
    const char *_Nullable sender;
    const char *_Nullable path;
    const char *_Nullable interface;
    const char *_Nullable member;
    const char *_Nullable signature;
    /// The name of an error, and what it says; only in an answer that refuses.
    const char *_Nullable error_name;
    const char *_Nullable error_text;
    bool expects_answer;
};
struct cuserbus_head cuserbus_head(struct cuserbus_message *_Nonnull message);

/// The type of the next value, and of what is in it; returns 0 at the end of the container.
int32_t cuserbus_peek(struct cuserbus_message *_Nonnull message, char *_Nonnull type,
                      const char *_Nullable *_Nonnull contents);
int32_t cuserbus_enter(struct cuserbus_message *_Nonnull message, char type,
                       const char *_Nonnull contents);
int32_t cuserbus_leave(struct cuserbus_message *_Nonnull message);

/// A value that is no container, in the member of its type.
union cuserbus_value {
    uint8_t byte;
    int32_t boolean;
    int16_t int16;
    uint16_t uint16;
    int32_t int32;
    uint32_t uint32;
    int64_t int64;
    uint64_t uint64;
    double number;
    const char *_Nullable text;
    /// Belongs to the message.
    int32_t descriptor;
};
int32_t cuserbus_read(struct cuserbus_message *_Nonnull message, char type,
                      union cuserbus_value *_Nonnull value);

/// Makes a call; `starts` says whether the bus may start a service for it.
int32_t cuserbus_new_call(struct cuserbus *_Nonnull bus, const char *_Nonnull destination,
                          const char *_Nonnull path, const char *_Nonnull interface,
                          const char *_Nonnull member, bool starts,
                          struct cuserbus_message *_Nullable *_Nonnull message);
int32_t cuserbus_new_answer(struct cuserbus_message *_Nonnull call,
                            struct cuserbus_message *_Nullable *_Nonnull message);
int32_t cuserbus_new_refusal(struct cuserbus_message *_Nonnull call, const char *_Nonnull name,
                             const char *_Nonnull text,
                             struct cuserbus_message *_Nullable *_Nonnull message);

int32_t cuserbus_begin(struct cuserbus_message *_Nonnull message, char type,
                       const char *_Nonnull contents);
int32_t cuserbus_end(struct cuserbus_message *_Nonnull message);
int32_t cuserbus_append(struct cuserbus_message *_Nonnull message, char type,
                        union cuserbus_value value);

/// Tells the callee that its answer to this call is not wanted.
int32_t cuserbus_want_no_answer(struct cuserbus_message *_Nonnull message);

/// Sends a message to which no answer is expected.
int32_t cuserbus_send(struct cuserbus *_Nonnull bus, struct cuserbus_message *_Nonnull message);

/// Sends a call; its answer has this number, and is an error after `timeout` microseconds.
int32_t cuserbus_send_call(struct cuserbus *_Nonnull bus,
                           struct cuserbus_message *_Nonnull message, uint64_t number,
                           uint64_t timeout);

#endif
