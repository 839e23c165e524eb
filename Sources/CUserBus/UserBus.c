#include "CUserBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The declarations of sd-bus that are used here, as in systemd/sd-bus.h: the build needs no headers
// of systemd. They are stable since systemd 239.
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
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
    int (*message_new_method_call)(sd_bus *, sd_bus_message **, const char *, const char *,
                                   const char *, const char *);
    sd_bus_message *(*message_unref)(sd_bus_message *);
    int (*message_set_auto_start)(sd_bus_message *, int);
    int (*message_append)(sd_bus_message *, const char *, ...);
    int (*message_append_strv)(sd_bus_message *, char **);
    int (*message_open_container)(sd_bus_message *, char, const char *);
    int (*message_close_container)(sd_bus_message *);
    int (*message_read)(sd_bus_message *, const char *, ...);
    int (*message_read_basic)(sd_bus_message *, char, void *);
    int (*message_enter_container)(sd_bus_message *, char, const char *);
    const sd_bus_error *(*message_get_error)(sd_bus_message *);
    int (*call_async)(sd_bus *, sd_bus_slot **, sd_bus_message *, sd_bus_message_handler_t, void *,
                      uint64_t);
    int (*match_signal_async)(sd_bus *, sd_bus_slot **, const char *, const char *, const char *,
                              const char *, sd_bus_message_handler_t, sd_bus_message_handler_t,
                              void *);
    int (*path_encode)(const char *, const char *, char **);
    int (*slot_set_destroy_callback)(sd_bus_slot *, void (*)(void *));
    int (*slot_set_floating)(sd_bus_slot *, int);
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
        {&sd.message_new_method_call, "sd_bus_message_new_method_call"},
        {&sd.message_unref, "sd_bus_message_unref"},
        {&sd.message_set_auto_start, "sd_bus_message_set_auto_start"},
        {&sd.message_append, "sd_bus_message_append"},
        {&sd.message_append_strv, "sd_bus_message_append_strv"},
        {&sd.message_open_container, "sd_bus_message_open_container"},
        {&sd.message_close_container, "sd_bus_message_close_container"},
        {&sd.message_read, "sd_bus_message_read"},
        {&sd.message_read_basic, "sd_bus_message_read_basic"},
        {&sd.message_enter_container, "sd_bus_message_enter_container"},
        {&sd.message_get_error, "sd_bus_message_get_error"},
        {&sd.call_async, "sd_bus_call_async"},
        {&sd.match_signal_async, "sd_bus_match_signal_async"},
        {&sd.path_encode, "sd_bus_path_encode"},
        {&sd.slot_set_destroy_callback, "sd_bus_slot_set_destroy_callback"},
        {&sd.slot_set_floating, "sd_bus_slot_set_floating"},
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

// A call under way: sd-bus gives one pointer back with the answer, and frees it with its slot.
struct call {
    struct cuserbus *owner;
    uint64_t number;
    enum { NO_VALUE, NUMBER, STRINGS } value;
};

static const char manager[] = "org.freedesktop.systemd1";
static const char manager_path[] = "/org/freedesktop/systemd1";
static const char manager_interface[] = "org.freedesktop.systemd1.Manager";
// Longest wait for an answer, microseconds. Starting an application over the bus may start its
// whole toolkit first.
static const uint64_t answer_timeout = 20000000;

// Returns the strings of an answer, a line each, to be freed; NULL: there is no memory.
static char *read_strings(sd_bus_message *message) {
    char *lines = malloc(CUSERBUS_ENVIRONMENT_BYTES_MAX);
    size_t length = 0;
    const char *text;
    if (lines == NULL) return NULL;
    if (sd.message_enter_container(message, 'v', "as") >= 0
        && sd.message_enter_container(message, 'a', "s") >= 0) {
        while (sd.message_read_basic(message, 's', &text) > 0) {
            size_t size = strlen(text);
            if (strchr(text, '\n') != NULL
                || size + 2 > CUSERBUS_ENVIRONMENT_BYTES_MAX - length) {
                continue;
            }
            memcpy(lines + length, text, size);
            length += size;
            lines[length++] = '\n';
        }
    }
    lines[length] = 0;
    return lines;
}

static int answered(sd_bus_message *message, void *data, sd_bus_error *ignored) {
    (void)ignored;
    const struct call *call = data;
    const sd_bus_error *error = sd.message_get_error(message);
    if (error != NULL) {
        call->owner->handler(call->owner->context, CUSERBUS_REFUSED, call->number,
                            error->name ? error->name : "", error->message ? error->message : "");
        return 0;
    }
    char text[24] = "";
    uint32_t value = 0;
    if (call->value == STRINGS) {
        char *lines = read_strings(message);
        call->owner->handler(call->owner->context, CUSERBUS_ANSWERED, call->number, "",
                            lines != NULL ? lines : "");
        free(lines);
        return 0;
    }
    if (call->value == NUMBER && sd.message_read(message, "v", "u", &value) >= 0)
        snprintf(text, sizeof text, "%" PRIu32, value);
    call->owner->handler(call->owner->context, CUSERBUS_ANSWERED, call->number, "", text);
    return 0;
}

static int job_ended(sd_bus_message *message, void *data, sd_bus_error *ignored) {
    (void)ignored;
    struct cuserbus *bus = data;
    uint32_t id;
    const char *job, *unit, *result;
    if (sd.message_read(message, "uoss", &id, &job, &unit, &result) >= 0)
        bus->handler(bus->context, CUSERBUS_JOB_ENDED, 0, unit, result);
    return 0;
}

static int ignore_answer(sd_bus_message *message, void *data, sd_bus_error *ignored) {
    (void)message, (void)data, (void)ignored;
    return 0;
}

// Sends a message and takes it over; its answer has this number.
static int32_t send_call(struct cuserbus *bus, sd_bus_message *message, uint64_t number,
                         int value) {
    struct call *call = malloc(sizeof *call);
    int status = -ENOMEM;
    if (call != NULL) {
        *call = (struct call){.owner = bus, .number = number, .value = value};
        sd_bus_slot *slot = NULL;
        status = sd.call_async(bus->bus, &slot, message, answered, call, answer_timeout);
        if (status < 0) {
            free(call);
        } else {
            // Neither can fail for a slot that sd-bus has just made. Floating: the bus owns it.
            sd.slot_set_destroy_callback(slot, free);
            sd.slot_set_floating(slot, 1);
        }
    }
    sd.message_unref(message);
    return status < 0 ? status : 0;
}

int32_t cuserbus_open(const char *address, bool hears_jobs, cuserbus_handler handler,
                      void *context, struct cuserbus **result) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (!is_loaded) return -ENOSYS;
    struct cuserbus *bus = calloc(1, sizeof *bus);
    if (bus == NULL) return -ENOMEM;
    bus->handler = handler;
    bus->context = context;
    sd_bus_message *subscribe = NULL;
    int status = sd.new(&bus->bus);
    if (status >= 0) status = sd.set_address(bus->bus, address);
    if (status >= 0) status = sd.set_bus_client(bus->bus, 1);
    if (status >= 0) status = sd.start(bus->bus);
    if (status >= 0 && hears_jobs)
        status = sd.match_signal_async(bus->bus, NULL, manager, manager_path, manager_interface,
                                       "JobRemoved", job_ended, ignore_answer, bus);
    // Without this call the manager sends no signals.
    if (status >= 0 && hears_jobs)
        status = sd.message_new_method_call(bus->bus, &subscribe, manager, manager_path,
                                            manager_interface, "Subscribe");
    if (status >= 0 && hears_jobs)
        status = sd.call_async(bus->bus, NULL, subscribe, ignore_answer, NULL, answer_timeout);
    if (subscribe != NULL) sd.message_unref(subscribe);
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

// Appends properties (a list of name and value) of a service.
static int append_properties(sd_bus_message *message, const struct cuserbus_unit *unit) {
    int status = sd.message_append(
        message, "(sv)(sv)(sv)(sv)(sv)(sv)(sv)", "Description", "s", unit->description, "Slice",
        "s", "app.slice", "Type", "s", "exec", "ExitType", "s", "cgroup", "CollectMode", "s",
        "inactive-or-failed", "WorkingDirectory", "s", unit->directory, "SourcePath", "s",
        unit->source);
    if (status < 0) return status;
    // (sv) of Environment: the array of strings.
    if ((status = sd.message_open_container(message, 'r', "sv")) < 0) return status;
    if ((status = sd.message_append(message, "s", "Environment")) < 0) return status;
    if ((status = sd.message_open_container(message, 'v', "as")) < 0) return status;
    if ((status = sd.message_append_strv(message, (char **)unit->environment)) < 0) return status;
    if ((status = sd.message_close_container(message)) < 0) return status;
    if ((status = sd.message_close_container(message)) < 0) return status;
    // ExecStartEx with this flag expands neither `$` nor `%`; ExecStart would.
    if ((status = sd.message_open_container(message, 'r', "sv")) < 0) return status;
    if ((status = sd.message_append(message, "s", "ExecStartEx")) < 0) return status;
    if ((status = sd.message_open_container(message, 'v', "a(sasas)")) < 0) return status;
    if ((status = sd.message_open_container(message, 'a', "(sasas)")) < 0) return status;
    if ((status = sd.message_open_container(message, 'r', "sasas")) < 0) return status;
    if ((status = sd.message_append(message, "s", unit->program)) < 0) return status;
    if ((status = sd.message_append_strv(message, (char **)unit->arguments)) < 0) return status;
    if ((status = sd.message_append(message, "as", 1, "no-env-expand")) < 0) return status;
    for (int depth = 0; depth < 4; depth++)
        if ((status = sd.message_close_container(message)) < 0) return status;
    return 0;
}

int32_t cuserbus_start_unit(struct cuserbus *bus, const struct cuserbus_unit *unit,
                            uint64_t number) {
    sd_bus_message *message = NULL;
    int status = sd.message_new_method_call(bus->bus, &message, manager, manager_path,
                                            manager_interface, "StartTransientUnit");
    if (status < 0) return status;
    status = sd.message_append(message, "ss", unit->name, "fail");
    if (status >= 0) status = sd.message_open_container(message, 'a', "(sv)");
    if (status >= 0) status = append_properties(message, unit);
    if (status >= 0) status = sd.message_close_container(message);
    // No other units come with it.
    if (status >= 0) status = sd.message_append(message, "a(sa(sv))", 0);
    if (status < 0) {
        sd.message_unref(message);
        return status;
    }
    return send_call(bus, message, number, NO_VALUE);
}

// Asks for a property of an object of the user manager.
static int32_t get_property(struct cuserbus *bus, const char *path, const char *interface,
                            const char *name, uint64_t number, int value) {
    sd_bus_message *message = NULL;
    int status = sd.message_new_method_call(bus->bus, &message, manager, path,
                                            "org.freedesktop.DBus.Properties", "Get");
    if (status < 0) return status;
    status = sd.message_append(message, "ss", interface, name);
    if (status < 0) {
        sd.message_unref(message);
        return status;
    }
    return send_call(bus, message, number, value);
}

int32_t cuserbus_environment(struct cuserbus *bus, uint64_t number) {
    return get_property(bus, manager_path, manager_interface, "Environment", number, STRINGS);
}

int32_t cuserbus_main_process(struct cuserbus *bus, const char *unit, uint64_t number) {
    char *path = NULL;
    int status = sd.path_encode("/org/freedesktop/systemd1/unit", unit, &path);
    if (status < 0) return status;
    status = get_property(bus, path, "org.freedesktop.systemd1.Service", "MainPID", number, NUMBER);
    free(path);
    return status;
}

int32_t cuserbus_metered(struct cuserbus *bus, uint64_t number) {
    static const char name[] = "org.freedesktop.NetworkManager";
    sd_bus_message *message = NULL;
    int status = sd.message_new_method_call(bus->bus, &message, name,
                                            "/org/freedesktop/NetworkManager",
                                            "org.freedesktop.DBus.Properties", "Get");
    if (status < 0) return status;
    status = sd.message_append(message, "ss", name, "Metered");
    if (status >= 0) status = sd.message_set_auto_start(message, 0);
    if (status < 0) {
        sd.message_unref(message);
        return status;
    }
    return send_call(bus, message, number, NUMBER);
}

int32_t cuserbus_open_application(struct cuserbus *bus, const char *name, const char *path,
                                  const char *url, const char *token, uint64_t number) {
    sd_bus_message *message = NULL;
    int status = sd.message_new_method_call(bus->bus, &message, name, path,
                                            "org.freedesktop.Application",
                                            url != NULL ? "Open" : "Activate");
    if (status < 0) return status;
    if (url != NULL) status = sd.message_append(message, "as", 1, url);
    if (status >= 0)
        // Both names of the token: the second is the one of X11.
        status = token != NULL
                     ? sd.message_append(message, "a{sv}", 2, "activation-token", "s", token,
                                         "desktop-startup-id", "s", token)
                     : sd.message_append(message, "a{sv}", 0);
    if (status < 0) {
        sd.message_unref(message);
        return status;
    }
    return send_call(bus, message, number, NO_VALUE);
}
