#include "CUserBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// The declarations of sd-bus that are used here, as in systemd/sd-bus.h: the build needs no headers
// of systemd. They are stable since systemd 239.
typedef struct sd_bus sd_bus;
typedef struct cuserbus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct {
    const char *name;
    const char *message;
    int need_free;
} sd_bus_error;
typedef int (*sd_bus_message_handler_t)(sd_bus_message *, void *, sd_bus_error *);

static struct {
    int (*new)(sd_bus **);
    int (*set_address)(sd_bus *, const char *);
    int (*set_bus_client)(sd_bus *, int);
    int (*start)(sd_bus *);
    sd_bus *(*close_unref)(sd_bus *);
    int (*get_fd)(sd_bus *);
    int (*get_events)(sd_bus *);
    int (*get_timeout)(sd_bus *, uint64_t *);
    int (*process)(sd_bus *, sd_bus_message **);
    int (*send)(sd_bus *, sd_bus_message *, uint64_t *);
    int (*call_async)(sd_bus *, sd_bus_slot **, sd_bus_message *, sd_bus_message_handler_t, void *,
                      uint64_t);
    int (*add_match_async)(sd_bus *, sd_bus_slot **, const char *, sd_bus_message_handler_t,
                           sd_bus_message_handler_t, void *);
    int (*add_fallback)(sd_bus *, sd_bus_slot **, const char *, sd_bus_message_handler_t, void *);
    sd_bus_slot *(*slot_unref)(sd_bus_slot *);
    int (*slot_set_destroy_callback)(sd_bus_slot *, void (*)(void *));
    int (*slot_set_floating)(sd_bus_slot *, int);
    int (*message_new_method_call)(sd_bus *, sd_bus_message **, const char *, const char *,
                                   const char *, const char *);
    int (*message_new_method_return)(sd_bus_message *, sd_bus_message **);
    int (*message_new_method_error)(sd_bus_message *, sd_bus_message **, const sd_bus_error *);
    sd_bus_message *(*message_ref)(sd_bus_message *);
    sd_bus_message *(*message_unref)(sd_bus_message *);
    int (*message_set_auto_start)(sd_bus_message *, int);
    int (*message_set_expect_reply)(sd_bus_message *, int);
    int (*message_open_container)(sd_bus_message *, char, const char *);
    int (*message_close_container)(sd_bus_message *);
    int (*message_append_basic)(sd_bus_message *, char, const void *);
    int (*message_peek_type)(sd_bus_message *, char *, const char **);
    int (*message_enter_container)(sd_bus_message *, char, const char *);
    int (*message_exit_container)(sd_bus_message *);
    int (*message_read_basic)(sd_bus_message *, char, void *);
    const char *(*message_get_sender)(sd_bus_message *);
    const char *(*message_get_path)(sd_bus_message *);
    const char *(*message_get_interface)(sd_bus_message *);
    const char *(*message_get_member)(sd_bus_message *);
    const char *(*message_get_signature)(sd_bus_message *, int);
    int (*message_get_expect_reply)(sd_bus_message *);
    const sd_bus_error *(*message_get_error)(sd_bus_message *);
} sd;

static bool is_loaded;

static void load(void) {
    // Never closed: its threads and atexit handlers could outlive the code.
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    const struct {
        void *function;
        const char *name;
    } wanted[] = {
        {&sd.new, "sd_bus_new"},
        {&sd.set_address, "sd_bus_set_address"},
        {&sd.set_bus_client, "sd_bus_set_bus_client"},
        {&sd.start, "sd_bus_start"},
        {&sd.close_unref, "sd_bus_close_unref"},
        {&sd.get_fd, "sd_bus_get_fd"},
        {&sd.get_events, "sd_bus_get_events"},
        {&sd.get_timeout, "sd_bus_get_timeout"},
        {&sd.process, "sd_bus_process"},
        {&sd.send, "sd_bus_send"},
        {&sd.call_async, "sd_bus_call_async"},
        {&sd.add_match_async, "sd_bus_add_match_async"},
        {&sd.add_fallback, "sd_bus_add_fallback"},
        {&sd.slot_unref, "sd_bus_slot_unref"},
        {&sd.slot_set_destroy_callback, "sd_bus_slot_set_destroy_callback"},
        {&sd.slot_set_floating, "sd_bus_slot_set_floating"},
        {&sd.message_new_method_call, "sd_bus_message_new_method_call"},
        {&sd.message_new_method_return, "sd_bus_message_new_method_return"},
        {&sd.message_new_method_error, "sd_bus_message_new_method_error"},
        {&sd.message_ref, "sd_bus_message_ref"},
        {&sd.message_unref, "sd_bus_message_unref"},
        {&sd.message_set_auto_start, "sd_bus_message_set_auto_start"},
        {&sd.message_set_expect_reply, "sd_bus_message_set_expect_reply"},
        {&sd.message_open_container, "sd_bus_message_open_container"},
        {&sd.message_close_container, "sd_bus_message_close_container"},
        {&sd.message_append_basic, "sd_bus_message_append_basic"},
        {&sd.message_peek_type, "sd_bus_message_peek_type"},
        {&sd.message_enter_container, "sd_bus_message_enter_container"},
        {&sd.message_exit_container, "sd_bus_message_exit_container"},
        {&sd.message_read_basic, "sd_bus_message_read_basic"},
        {&sd.message_get_sender, "sd_bus_message_get_sender"},
        {&sd.message_get_path, "sd_bus_message_get_path"},
        {&sd.message_get_interface, "sd_bus_message_get_interface"},
        {&sd.message_get_member, "sd_bus_message_get_member"},
        {&sd.message_get_signature, "sd_bus_message_get_signature"},
        {&sd.message_get_expect_reply, "sd_bus_message_get_expect_reply"},
        {&sd.message_get_error, "sd_bus_message_get_error"},
    };
    for (size_t index = 0; index < sizeof wanted / sizeof wanted[0]; index++) {
        void *address = dlsym(library, wanted[index].name);
        if (address == NULL) return;
        // A data pointer is copied into a function pointer, which POSIX allows and C does not.
        memcpy(wanted[index].function, &address, sizeof address);
    }
    is_loaded = true;
}

struct cuserbus {
    sd_bus *bus;
    cuserbus_handler handler;
    void *context;
};

// The one pointer that sd-bus gives back with a message; freed with its slot.
struct listener {
    struct cuserbus *owner;
    enum cuserbus_event event;
    uint64_t number;
};

static int heard(sd_bus_message *message, void *data, sd_bus_error *ignored) {
    (void)ignored;
    const struct listener *listener = data;
    // Copied: the handler may cancel the slot that owns it.
    struct listener copy = *listener;
    copy.owner->handler(copy.owner->context, copy.event, copy.number, message);
    // 1: no other object answers a call. Signals and answers go on to nobody else either.
    return copy.event == CUSERBUS_CALL ? 1 : 0;
}

static int ignore_answer(sd_bus_message *message, void *data, sd_bus_error *ignored) {
    (void)message, (void)data, (void)ignored;
    return 0;
}

static struct listener *new_listener(struct cuserbus *bus, enum cuserbus_event event,
                                     uint64_t number) {
    struct listener *listener = malloc(sizeof *listener);
    if (listener != NULL)
        *listener = (struct listener){.owner = bus, .event = event, .number = number};
    return listener;
}

int32_t cuserbus_open(const char *address, cuserbus_handler handler, void *context,
                      struct cuserbus **result) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (!is_loaded) return -ENOSYS;
    struct cuserbus *bus = calloc(1, sizeof *bus);
    if (bus == NULL) return -ENOMEM;
    bus->handler = handler;
    bus->context = context;
    int status = sd.new(&bus->bus);
    if (status >= 0) status = sd.set_address(bus->bus, address);
    if (status >= 0) status = sd.set_bus_client(bus->bus, 1);
    if (status >= 0) status = sd.start(bus->bus);
    if (status < 0) {
        cuserbus_close(bus);
        return status;
    }
    *result = bus;
    return 0;
}

void cuserbus_close(struct cuserbus *bus) {
    if (bus == NULL) return;
    if (bus->bus != NULL) sd.close_unref(bus->bus);
    free(bus);
}

int32_t cuserbus_wait(struct cuserbus *bus, struct cuserbus_wait *wait) {
    int descriptor = sd.get_fd(bus->bus);
    if (descriptor < 0) return descriptor;
    int events = sd.get_events(bus->bus);
    if (events < 0) return events;
    uint64_t deadline = UINT64_MAX;
    int status = sd.get_timeout(bus->bus, &deadline);
    if (status < 0) return status;
    *wait = (struct cuserbus_wait){
        .descriptor = descriptor,
        .readable = (events & POLLIN) != 0,
        .writable = (events & POLLOUT) != 0,
        .deadline = deadline,
    };
    return 0;
}

int32_t cuserbus_process(struct cuserbus *bus) { return sd.process(bus->bus, NULL); }

// MARK: - What is heard

int32_t cuserbus_match(struct cuserbus *bus, const char *rule, uint64_t number,
                       struct cuserbus_slot **result) {
    struct listener *listener = new_listener(bus, CUSERBUS_SIGNAL, number);
    if (listener == NULL) return -ENOMEM;
    sd_bus_slot *slot = NULL;
    // By default a rule that the bus refuses ends the connection.
    int status = sd.add_match_async(bus->bus, &slot, rule, heard, ignore_answer, listener);
    if (status < 0) {
        free(listener);
        return status;
    }
    sd.slot_set_destroy_callback(slot, free);
    *result = (struct cuserbus_slot *)slot;
    return 0;
}

int32_t cuserbus_serve(struct cuserbus *bus, const char *path, uint64_t number,
                       struct cuserbus_slot **result) {
    struct listener *listener = new_listener(bus, CUSERBUS_CALL, number);
    if (listener == NULL) return -ENOMEM;
    sd_bus_slot *slot = NULL;
    int status = sd.add_fallback(bus->bus, &slot, path, heard, listener);
    if (status < 0) {
        free(listener);
        return status;
    }
    sd.slot_set_destroy_callback(slot, free);
    *result = (struct cuserbus_slot *)slot;
    return 0;
}

void cuserbus_cancel(struct cuserbus_slot *slot) { sd.slot_unref((sd_bus_slot *)slot); }

// MARK: - Reading

struct cuserbus_message *cuserbus_keep(struct cuserbus_message *message) {
    return sd.message_ref(message);
}

void cuserbus_drop(struct cuserbus_message *message) { sd.message_unref(message); }

struct cuserbus_head cuserbus_head(struct cuserbus_message *message) {
    const sd_bus_error *error = sd.message_get_error(message);
    return (struct cuserbus_head){
        .sender = sd.message_get_sender(message),
        .path = sd.message_get_path(message),
        .interface = sd.message_get_interface(message),
        .member = sd.message_get_member(message),
        .signature = sd.message_get_signature(message, 1),
        .error_name = error != NULL ? error->name : NULL,
        .error_text = error != NULL ? error->message : NULL,
        .expects_answer = sd.message_get_expect_reply(message) > 0,
    };
}

int32_t cuserbus_peek(struct cuserbus_message *message, char *type, const char **contents) {
    return sd.message_peek_type(message, type, contents);
}

int32_t cuserbus_enter(struct cuserbus_message *message, char type, const char *contents) {
    return sd.message_enter_container(message, type, contents);
}

int32_t cuserbus_leave(struct cuserbus_message *message) {
    return sd.message_exit_container(message);
}

int32_t cuserbus_read(struct cuserbus_message *message, char type, union cuserbus_value *value) {
    *value = (union cuserbus_value){.uint64 = 0};
    return sd.message_read_basic(message, type, value);
}

// MARK: - Writing

int32_t cuserbus_new_call(struct cuserbus *bus, const char *destination, const char *path,
                          const char *interface, const char *member, bool starts,
                          struct cuserbus_message **result) {
    sd_bus_message *message = NULL;
    int status = sd.message_new_method_call(bus->bus, &message, destination, path, interface,
                                            member);
    if (status < 0) return status;
    if (!starts) status = sd.message_set_auto_start(message, 0);
    if (status < 0) {
        sd.message_unref(message);
        return status;
    }
    *result = message;
    return 0;
}

int32_t cuserbus_new_answer(struct cuserbus_message *call, struct cuserbus_message **result) {
    return sd.message_new_method_return(call, result);
}

int32_t cuserbus_new_refusal(struct cuserbus_message *call, const char *name, const char *text,
                             struct cuserbus_message **result) {
    return sd.message_new_method_error(call, result,
                                       &(sd_bus_error){.name = name, .message = text});
}

int32_t cuserbus_begin(struct cuserbus_message *message, char type, const char *contents) {
    return sd.message_open_container(message, type, contents);
}

int32_t cuserbus_end(struct cuserbus_message *message) {
    return sd.message_close_container(message);
}

int32_t cuserbus_append(struct cuserbus_message *message, char type, union cuserbus_value value) {
    bool is_text = type == 's' || type == 'o' || type == 'g';
    return sd.message_append_basic(message, type, is_text ? (const void *)value.text : &value);
}

int32_t cuserbus_want_no_answer(struct cuserbus_message *message) {
    return sd.message_set_expect_reply(message, 0);
}

int32_t cuserbus_send(struct cuserbus *bus, struct cuserbus_message *message) {
    return sd.send(bus->bus, message, NULL);
}

int32_t cuserbus_send_call(struct cuserbus *bus, struct cuserbus_message *message, uint64_t number,
                           uint64_t timeout) {
    struct listener *listener = new_listener(bus, CUSERBUS_ANSWER, number);
    if (listener == NULL) return -ENOMEM;
    sd_bus_slot *slot = NULL;
    int status = sd.call_async(bus->bus, &slot, message, heard, listener, timeout);
    if (status < 0) {
        free(listener);
        return status;
    }
    // Neither can fail for a slot that sd-bus has just made. Floating: the bus owns it.
    sd.slot_set_destroy_callback(slot, free);
    sd.slot_set_floating(slot, 1);
    return 0;
}
