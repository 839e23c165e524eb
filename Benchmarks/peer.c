/* peer: the least that a server on libuv can do, as the yardstick for intentd.
 *
 * For each newline that arrives on a connection of a Unix socket it sends one fixed reply line.
 * It parses nothing, keeps nothing and checks nothing: what intentd needs above it is the price
 * of JSON, routing and the turn. Like intentd it makes one write per read, and tries to write at
 * once before it queues.
 *
 *     peer --socket PATH        (other options are ignored)
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

static const char reply[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
enum {
    reply_bytes = sizeof reply - 1,
    read_bytes = 64 * 1024,
    /* One read holds at most this many newlines, so one buffer of replies answers any read. */
    replies_max = read_bytes,
};

static char input[read_bytes];
static char *replies; /* replies_max times the reply */

static void check(int code, const char *what)
{
    if (code < 0) {
        fprintf(stderr, "peer: %s: %s\n", what, uv_strerror(code));
        exit(1);
    }
}

static void on_close(uv_handle_t *handle) { free(handle); }

static void on_written(uv_write_t *request, int status)
{
    (void)status; /* A broken connection is closed where it is read. */
    free(request);
}

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    (void)handle, (void)suggested;
    *buffer = uv_buf_init(input, sizeof input); /* one thread, one read at a time */
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
    if (count < 0) {
        if (!uv_is_closing((uv_handle_t *)stream)) uv_close((uv_handle_t *)stream, on_close);
        return;
    }
    size_t lines = 0;
    const char *end = buffer->base + count;
    for (const char *at = buffer->base; (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
    if (lines == 0) return;

    uv_buf_t out = uv_buf_init(replies, (unsigned)(lines * reply_bytes));
    int sent = uv_try_write(stream, &out, 1); /* UV_EAGAIN also while a write is queued */
    if (sent == (int)out.len) return;
    if (sent < 0 && sent != UV_EAGAIN) {
        uv_close((uv_handle_t *)stream, on_close);
        return;
    }
    /* The rest waits for the reader. `replies` never changes, so it is not copied. */
    if (sent > 0) out = uv_buf_init(out.base + sent, (unsigned)(out.len - (size_t)sent));
    uv_write_t *request = malloc(sizeof *request);
    if (!request || uv_write(request, stream, &out, 1, on_written) < 0) abort();
}

static void on_connection(uv_stream_t *server, int status)
{
    check(status, "accept");
    uv_pipe_t *client = malloc(sizeof *client);
    if (!client) abort();
    check(uv_pipe_init(server->loop, client, 0), "uv_pipe_init");
    check(uv_accept(server, (uv_stream_t *)client), "uv_accept");
    check(uv_read_start((uv_stream_t *)client, give_buffer, on_read), "uv_read_start");
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--socket") == 0) path = argv[i + 1];
    if (!path) {
        fprintf(stderr, "usage: peer --socket PATH\n");
        return 64;
    }
    signal(SIGPIPE, SIG_IGN); /* a client that leaves is an error of its write, not our end */
    replies = malloc((size_t)replies_max * reply_bytes);
    if (!replies) abort();
    for (size_t i = 0; i < replies_max; i++) memcpy(replies + i * reply_bytes, reply, reply_bytes);

    uv_loop_t *loop = uv_default_loop();
    uv_pipe_t server;
    check(uv_pipe_init(loop, &server, 0), "uv_pipe_init");
    unlink(path);
    check(uv_pipe_bind(&server, path), path);
    check(uv_listen((uv_stream_t *)&server, 1024, on_connection), "uv_listen");
    return uv_run(loop, UV_RUN_DEFAULT);
}
