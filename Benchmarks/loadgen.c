/* loadgen: keeps a number of requests under way on a number of connections, counts the replies.
 *
 * One thread, epoll, Unix stream sockets. Closed loop: each connection has `depth` requests under
 * way; as k replies arrive, k new requests leave in one write. It must cost less than what it
 * measures, so nothing is done per request that can be done per read:
 *  - the requests are laid out once, one after the other; sending is a pointer and a length in
 *    that stream (`position` … `allowed`), also when the requests vary;
 *  - times are taken once per read and once per write; what left together waits together;
 *  - a reply is a newline (json) or a RESP value (redis); errors are searched per read.
 *
 * Prints one line of JSON: requests, seconds, rps, p50_us, p99_us, max_us, errors, cpu_seconds
 * (of this program) and, with --server PID, server_ns: the processor time of that process per
 * counted request, user and system, of all its threads, in nanoseconds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { input_bytes = 256 * 1024, connections_max = 4096, depth_max = 65536 };

static bool is_redis; /* --mode redis: RESP in and out; else JSON lines */

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "loadgen: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
    exit(1);
}

static void *allocate(size_t bytes)
{
    void *made = calloc(1, bytes ? bytes : 1);
    if (!made) fail("out of memory");
    return made;
}

/* Processor time that the server has taken so far, in nanoseconds; 0 without --server. */
static clockid_t server_clock;
static bool has_server;

static uint64_t server_nanoseconds(void)
{
    struct timespec used;
    if (!has_server) return 0;
    if (clock_gettime(server_clock, &used) < 0) fail("the server's processor time");
    return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- Latency: a histogram of 64 steps per power of two, so any figure is good to 1.6 %. */

enum { steps = 64, histogram_size = 64 * steps };
static uint64_t histogram[histogram_size], latency_max;

static void record_latency(uint64_t ns, uint64_t count)
{
    unsigned power = ns < steps ? 0 : (unsigned)(63 - __builtin_clzll(ns)) - 5;
    size_t bucket = power == 0 ? ns : power * (size_t)steps / 2 + (ns >> power) + steps / 2 - 32;
    histogram[bucket] += count;
    if (ns > latency_max) latency_max = ns;
}

static double bucket_ns(size_t bucket)
{
    if (bucket < steps) return (double)bucket;
    size_t power = (bucket - steps) / 32 + 1;
    return (double)((uint64_t)(32 + (bucket - steps) % 32) << power);
}

static double percentile_us(double share)
{
    uint64_t total = 0, seen = 0;
    for (size_t i = 0; i < histogram_size; i++) total += histogram[i];
    for (size_t i = 0; i < histogram_size; i++)
        if ((double)(seen += histogram[i]) >= share * (double)total && seen) return bucket_ns(i) / 1e3;
    return 0;
}

/* ---- The requests, laid out once. `offset[i]` is where request i begins; it wraps around. */

static char *stream;
static size_t *offset, stream_bytes, stream_count;

static void lay_out(const char *request, size_t bytes, size_t vary, size_t depth)
{
    /* Long enough that one write never needs more than one lap. */
    size_t laps = (depth + vary - 1) / vary;
    stream_count = laps * vary;
    offset = allocate((stream_count + 1) * sizeof *offset);
    stream = allocate(stream_count * (bytes + 20));
    const char *place = memmem(request, bytes, "%d", 2);
    for (size_t i = 0; i < stream_count; i++) {
        offset[i] = stream_bytes;
        if (!place) {
            memcpy(stream + stream_bytes, request, bytes);
            stream_bytes += bytes;
            continue;
        }
        size_t before = (size_t)(place - request);
        memcpy(stream + stream_bytes, request, before);
        stream_bytes += before;
        /* RESP says a value's length in front of it, so there lengths must not differ. */
        const char *format = is_redis ? "%06zu" : "%zu";
        stream_bytes += (size_t)sprintf(stream + stream_bytes, format, i % vary);
        memcpy(stream + stream_bytes, place + 2, bytes - before - 2);
        stream_bytes += bytes - before - 2;
    }
    offset[stream_count] = stream_bytes;
}

/* ---- Connections */

struct batch { uint64_t sent; uint32_t count; };

struct connection {
    int fd;
    bool waits_for_room; /* EPOLLOUT is on */
    uint64_t allowed;    /* requests that may have left */
    uint64_t position;   /* bytes that have left */
    struct batch *batches; /* ring: when requests under way left; never more than `depth` */
    uint32_t first, batch_count;
    char *input;
    size_t filled; /* bytes of a reply that is not complete */
};

static uint32_t depth = 1;
static int poller;
static uint64_t reply_total, error_total;
static bool counts; /* between warm-up and end */

static void want_room(struct connection *c, bool wanted)
{
    if (c->waits_for_room == wanted) return;
    c->waits_for_room = wanted;
    struct epoll_event event = {.events = EPOLLIN | (wanted ? EPOLLOUT : 0), .data.ptr = c};
    if (epoll_ctl(poller, EPOLL_CTL_MOD, c->fd, &event) < 0) fail("epoll_ctl");
}

static void send_allowed(struct connection *c)
{
    uint64_t target =
        c->allowed / stream_count * stream_bytes + offset[c->allowed % stream_count];
    while (c->position < target) {
        size_t start = c->position % stream_bytes, left = target - c->position;
        size_t straight = left < stream_bytes - start ? left : stream_bytes - start;
        struct iovec parts[2] = {{stream + start, straight}, {stream, left - straight}};
        ssize_t sent = writev(c->fd, parts, left > straight ? 2 : 1);
        if (sent < 0) {
            if (errno == EINTR) continue;
            if (errno != EAGAIN) fail("write");
            want_room(c, true);
            return;
        }
        c->position += (uint64_t)sent;
    }
    want_room(c, false);
}

static void send_more(struct connection *c, uint32_t count, uint64_t now)
{
    c->batches[(c->first + c->batch_count) % depth] = (struct batch){now, count};
    c->batch_count++;
    c->allowed += count;
    send_allowed(c);
}

static void settle(struct connection *c, uint32_t count, uint64_t now)
{
    while (count > 0) {
        if (c->batch_count == 0) errno = 0, fail("more replies than requests");
        struct batch *oldest = &c->batches[c->first];
        uint32_t taken = count < oldest->count ? count : oldest->count;
        if (counts) record_latency(now - oldest->sent, taken);
        oldest->count -= taken;
        count -= taken;
        if (oldest->count == 0) c->first = (c->first + 1) % depth, c->batch_count--;
    }
}

/* Replies in `bytes`; `used` tells how many bytes they take, `errors` how many are refusals. */
static uint32_t count_json(const char *bytes, size_t length, size_t *used, uint32_t *errors)
{
    uint32_t found = 0;
    const char *end = bytes + length, *at = bytes;
    for (const char *line; (line = memchr(at, '\n', (size_t)(end - at))); at = line + 1) found++;
    *used = (size_t)(at - bytes);
    /* One search per read when all is well; only then line by line. */
    for (const char *line = bytes; line < at;) {
        const char *error = memmem(line, (size_t)(at - line), "\"error\"", 7);
        if (!error) break;
        ++*errors;
        line = (const char *)memchr(error, '\n', (size_t)(at - error)) + 1;
    }
    return found;
}

/* The bytes of a reply that is an array of strings; 0 when it is not all there. */
static size_t array_bytes(const char *start, size_t length)
{
    const char *line = memchr(start, '\n', length);
    if (!line) return 0;
    long count = strtol(start + 1, NULL, 10);
    size_t size = (size_t)(line - start) + 1;
    for (; count > 0; --count) {
        if (size >= length || !(line = memchr(start + size, '\n', length - size))) return 0;
        long value = strtol(start + size + 1, NULL, 10);
        size = (size_t)(line - start) + 1 + (value < 0 ? 0 : (size_t)value + 2);
    }
    return size > length ? 0 : size;
}

static uint32_t count_redis(const char *bytes, size_t length, size_t *used, uint32_t *errors)
{
    uint32_t found = 0;
    *used = 0;
    while (*used < length) {
        const char *start = bytes + *used;
        const char *line = memchr(start, '\n', length - *used);
        if (!line) break;
        size_t size = (size_t)(line - start) + 1;
        if (*start == '*') {
            size = array_bytes(start, length - *used);
            if (!size) break;
        } else if (*start == '$') {
            long value = strtol(start + 1, NULL, 10);
            if (value >= 0) size += (size_t)value + 2; /* $-1 is null, a line only */
        } else if (*start == '-') {
            ++*errors;
        } else if (*start != '+' && *start != ':') {
            errno = 0;
            fail("a reply that is not + - : $ or *; is this Redis?");
        }
        if (size > length - *used) {
            if (*start == '-') --*errors;
            break;
        }
        *used += size;
        found++;
    }
    return found;
}

/* Reads what is there; returns the number of complete replies. */
static uint32_t receive(struct connection *c)
{
    ssize_t got = read(c->fd, c->input + c->filled, input_bytes - c->filled);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (got <= 0) {
        if (got == 0) errno = 0;
        fail("the server closed a connection");
    }
    size_t length = c->filled + (size_t)got, used;
    uint32_t errors = 0;
    uint32_t found = (is_redis ? count_redis : count_json)(c->input, length, &used, &errors);
    c->filled = length - used;
    if (c->filled == input_bytes) errno = 0, fail("a reply longer than 256 KiB");
    memmove(c->input, c->input + used, c->filled);
    if (counts) reply_total += found, error_total += errors;
    return found;
}

static void open_connection(struct connection *c, const char *path, const char *prelude)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) errno = ENAMETOOLONG, fail(path);
    strcpy(address.sun_path, path);
    c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&address, sizeof address) < 0) fail(path);
    c->batches = allocate(depth * sizeof *c->batches);
    c->input = allocate(input_bytes);
    if (prelude) { /* sent and answered before anything is measured; a reply a line */
        uint32_t waiting = 0;
        for (const char *p = prelude; *p; p++) waiting += *p == '\n';
        if (write(c->fd, prelude, strlen(prelude)) != (ssize_t)strlen(prelude)) fail("prelude");
        while (waiting > 0) {
            uint32_t found = receive(c);
            waiting -= found < waiting ? found : waiting;
        }
    }
    if (fcntl(c->fd, F_SETFL, O_NONBLOCK) < 0) fail("fcntl");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event) < 0) fail("epoll_ctl");
}

/* ---- Options */

static char *read_text(const char *argument, size_t *length)
{
    struct stat status;
    if (*argument != '{' && stat(argument, &status) == 0 && S_ISREG(status.st_mode)) {
        FILE *file = fopen(argument, "rb");
        if (!file) fail(argument);
        char *text = allocate((size_t)status.st_size + 2);
        *length = fread(text, 1, (size_t)status.st_size, file);
        fclose(file);
        return text;
    }
    char *text = allocate(strlen(argument) + 2), *out = text;
    for (const char *in = argument; *in; in++) {
        /* \r and \n are for RESP; JSON keeps its own escapes. */
        if (is_redis && in[0] == '\\' && (in[1] == 'r' || in[1] == 'n')) {
            *out++ = *++in == 'r' ? '\r' : '\n';
        } else {
            *out++ = *in;
        }
    }
    *length = (size_t)(out - text);
    return text;
}

static const char usage[] =
    "usage: loadgen --socket PATH --request FILE|TEXT [--mode json|redis] [--connections N]\n"
    "               [--depth D] [--seconds S] [--warmup S] [--prelude FILE|TEXT] [--vary N]\n"
    "               [--server PID]\n"
    "  --vary N   replaces %d in the request by 0, 1, … below N (redis: 000000, 000001, …)\n"
    "  --server PID  also prints the processor time that this process took per request\n"
    "  in --mode redis, \\r and \\n in TEXT are the characters; in json a final newline is added\n";

int main(int argc, char **argv)
{
    const char *path = NULL, *request_text = NULL, *prelude_text = NULL;
    long connection_count = 1, depth_wanted = 1, vary = 1, server = 0;
    double seconds = 2, warmup = 0.2;
    static const struct option options[] = {
        {"socket", 1, 0, 's'}, {"connections", 1, 0, 'c'}, {"depth", 1, 0, 'd'},
        {"seconds", 1, 0, 't'}, {"warmup", 1, 0, 'w'}, {"mode", 1, 0, 'm'},
        {"request", 1, 0, 'r'}, {"prelude", 1, 0, 'p'}, {"vary", 1, 0, 'v'},
        {"server", 1, 0, 'S'}, {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 's': path = optarg; break;
        case 'c': connection_count = atol(optarg); break;
        case 'd': depth_wanted = atol(optarg); break;
        case 't': seconds = atof(optarg); break;
        case 'w': warmup = atof(optarg); break;
        case 'm': is_redis = strcmp(optarg, "redis") == 0; break;
        case 'r': request_text = optarg; break;
        case 'p': prelude_text = optarg; break;
        case 'v': vary = atol(optarg); break;
        case 'S': server = atol(optarg); break;
        case 'h': fputs(usage, stdout); return 0;
        default: fputs(usage, stderr); return 64;
        }
    }
    if (!path || !request_text || seconds <= 0 || connection_count < 1 || vary < 1 ||
        connection_count > connections_max || depth_wanted < 1 || depth_wanted > depth_max ||
        vary > 1000000) {
        fputs(usage, stderr);
        return 64;
    }
    depth = (uint32_t)depth_wanted;
    if (server) {
        errno = clock_getcpuclockid((pid_t)server, &server_clock);
        if (errno) fail("--server");
        has_server = true;
    }

    size_t bytes, prelude_bytes;
    char *request = read_text(request_text, &bytes);
    if (!is_redis && (bytes == 0 || request[bytes - 1] != '\n')) request[bytes++] = '\n';
    char *prelude = prelude_text ? read_text(prelude_text, &prelude_bytes) : NULL;
    if (prelude && prelude[prelude_bytes - 1] != '\n') prelude[prelude_bytes] = '\n';
    lay_out(request, bytes, (size_t)vary, depth);

    poller = epoll_create1(EPOLL_CLOEXEC);
    struct connection *connections = allocate((size_t)connection_count * sizeof *connections);
    for (long i = 0; i < connection_count; i++) {
        open_connection(&connections[i], path, prelude);
        /* Each begins elsewhere, so that varying requests differ between connections too. */
        connections[i].allowed = (uint64_t)i * stream_count / (uint64_t)connection_count;
        connections[i].position = offset[connections[i].allowed];
    }
    uint64_t start = nanoseconds(), count_from = start + (uint64_t)(warmup * 1e9);
    uint64_t end = count_from + (uint64_t)(seconds * 1e9), now = start, counted_from = start;
    for (long i = 0; i < connection_count; i++) send_more(&connections[i], depth, now);

    struct rusage before = {0}, after;
    uint64_t server_before = 0;
    while (now < end) {
        struct epoll_event events[256];
        int ready = epoll_wait(poller, events, 256, 1000);
        if (ready < 0 && errno != EINTR) fail("epoll_wait");
        now = nanoseconds();
        if (!counts && now >= count_from) {
            counts = true;
            counted_from = now;
            getrusage(RUSAGE_SELF, &before);
            server_before = server_nanoseconds();
        }
        if (ready == 0 && now - counted_from > 10000000000u) errno = 0, fail("no reply for 10 s");
        for (int i = 0; i < ready; i++) {
            struct connection *c = events[i].data.ptr;
            if (events[i].events & EPOLLOUT) send_allowed(c);
            if (!(events[i].events & ~(uint32_t)EPOLLOUT)) continue;
            uint32_t found = receive(c);
            if (found == 0) continue;
            now = nanoseconds();
            settle(c, found, now);
            send_more(c, found, now);
        }
    }
    getrusage(RUSAGE_SELF, &after);
    uint64_t server_used = server_nanoseconds() - server_before;
    double took = (double)(now - counted_from) / 1e9;
    double cpu = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
                 (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
                 (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e6 +
                 (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1e6;
    printf("{\"requests\":%llu,\"seconds\":%.3f,\"rps\":%.0f,\"p50_us\":%.1f,\"p99_us\":%.1f,"
           "\"max_us\":%.1f,\"errors\":%llu,\"cpu_seconds\":%.3f",
           (unsigned long long)reply_total, took, (double)reply_total / took, percentile_us(0.5),
           percentile_us(0.99), (double)latency_max / 1e3, (unsigned long long)error_total, cpu);
    if (has_server && reply_total)
        printf(",\"server_ns\":%.1f", (double)server_used / (double)reply_total);
    puts("}");
    return 0;
}
