// Times a run of `true`: started by this process, as an application is; by the supervisor, as a
// provider is; and the same in a box. They take turns, so that all meet the same machine. Prints
// one JSON object; the box is null where the kernel has no Landlock.
//
//   build/runs [PAIRS]
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Paths of a box that are read: as many as the daemon gives to each.
enum { PAIR_COUNT_DEFAULT = 500, WARM_UP_COUNT = 20, READ_PATH_COUNT = 66 };

static void stop(const char *what, int error) {
  fprintf(stderr, "runs: %s: %s\n", what, strerror(error));
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static char *arguments[] = {"true", NULL};
static char *environment[] = {"PATH=/usr/bin:/bin", NULL};

/// Makes the pipes of a run; the child's ends go to `theirs`.
static void make_pipes(int32_t *ours, int32_t *theirs) {
  for (int index = 0; index < 3; index++) {
    int32_t reading, writing;
    int32_t error = cposix_pipe(&reading, &writing);
    if (error < 0) stop("a pipe", -error);
    ours[index] = index == 0 ? writing : reading;
    theirs[index] = index == 0 ? reading : writing;
  }
}

static void close_all(const int32_t *descriptors) {
  for (int index = 0; index < 3; index++) close(descriptors[index]);
}

/// Waits for the end of both outputs, as the daemon does.
static void read_to_end(const int32_t *ours) {
  char text[64];
  for (int index = 1; index < 3; index++) {
    while (read(ours[index], text, sizeof text) > 0) {
    }
  }
}

static double uncontained(void) {
  int32_t ours[3], theirs[3];
  double start = now();
  make_pipes(ours, theirs);
  struct cposix_child_request request = {
      .program = "/bin/true", .arguments = arguments, .environment = environment,
      .directory = "/", .input = theirs[0], .output = theirs[1], .errors = theirs[2],
      .data_bytes_max = 256u << 20, .denies_core = true, .dies_with_parent = true, .listener_channel = -1};
  struct cposix_child child;
  int32_t error = cposix_child_start(&request, &child);
  if (error < 0) stop("true", -error);
  close_all(theirs);
  read_to_end(ours);
  struct pollfd ended = {.fd = child.pidfd, .events = POLLIN};
  while (poll(&ended, 1, -1) < 0 && errno == EINTR) {
  }
  struct cposix_child_end end;
  cposix_child_ended(child.pidfd, true, &end);
  double used = now() - start;
  close(child.pidfd);
  close_all(ours);
  if (end.code != 0 || end.signal != 0) stop("true did not succeed", EINVAL);
  return used;
}

static struct cposix_reply receive(int32_t channel) {
  struct cposix_reply reply;
  struct pollfd ready = {.fd = channel, .events = POLLIN};
  int32_t status;
  while ((status = cposix_reply_receive(channel, &reply)) == -EAGAIN) poll(&ready, 1, -1);
  if (status != 1) stop("the supervisor", status < 0 ? -status : EPIPE);
  return reply;
}

static void send_order(int32_t channel, const struct cposix_order *order, const char *body,
                       size_t length, const int32_t *descriptors, size_t count) {
  struct pollfd ready = {.fd = channel, .events = POLLOUT};
  int32_t status;
  while ((status = cposix_order_send(channel, order, body, length, descriptors, count)) == -EAGAIN)
    poll(&ready, 1, -1);
  if (status < 0) stop("an order", -status);
}

static const char strings[] = "/bin/true\0/\0/nonexistent\0true\0PATH=/usr/bin:/bin";

/// The body of an order: the strings alone, or a box before them.
struct body {
  _Alignas(8) char bytes[CPOSIX_BOX_BYTES_MAX + sizeof strings];
  size_t box_length;
  size_t length;
};

/// Makes the body with a box as the daemon makes it: as many paths, most of which a machine has.
static void make_box(struct body *body) {
  static const char *const programs[] = {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt"};
  int32_t error =
      cposix_box_begin(body->bytes, CPOSIX_BOX_BYTES_MAX, 0, cposix_box_landlock());
  for (size_t index = 0; error == 0 && index < sizeof programs / sizeof *programs; index++)
    error = cposix_box_add(body->bytes, CPOSIX_BOX_BYTES_MAX, programs[index], CPOSIX_BOX_RUN);
  for (int index = 0; error == 0 && index < READ_PATH_COUNT; index++) {
    static const char *const read[] = {"/etc/passwd", "/etc/hosts", "/etc/ssl", "/proc/self",
                                       "/proc/meminfo", "/sys/class", "/nonexistent"};
    error = cposix_box_add(body->bytes, CPOSIX_BOX_BYTES_MAX,
                           read[(size_t)index % (sizeof read / sizeof *read)], CPOSIX_BOX_READ);
  }
  if (error == 0)
    error = cposix_box_add(body->bytes, CPOSIX_BOX_BYTES_MAX, "/dev/null", CPOSIX_BOX_DEVICE);
  if (error < 0) stop("a box", -error);
  body->box_length = cposix_box_length(body->bytes);
  body->length = (body->box_length + 7) / 8 * 8;
}

static void add_strings(struct body *body) {
  memcpy(body->bytes + body->length, strings, sizeof strings);
  body->length += sizeof strings;
}

static double contained(int32_t channel, uint64_t run, const struct body *body) {
  int32_t ours[3], theirs[3];
  double start = now();
  make_pipes(ours, theirs);
  struct cposix_order order = {
      .type = CPOSIX_ORDER_START, .denies_privileges = 1, .run = run,
      .limits = {.data_bytes_max = 256u << 20, .memory_bytes_max = 256u << 20,
                 .file_bytes_max = 256u << 20, .cache_bytes_max = 256u << 20,
                 .cpu_microseconds_max = 30000000, .process_count_max = 64},
      .box_length = body->box_length, .strings_length = sizeof strings, .argument_count = 1,
      .environment_count = 1, .descriptors = 7};
  send_order(channel, &order, body->bytes, body->length, theirs, 3);
  close_all(theirs);
  read_to_end(ours);
  struct cposix_reply reply;
  do {
    reply = receive(channel);
    if (reply.type == CPOSIX_REPLY_FAILED) stop("true", reply.error);
  } while (reply.type != CPOSIX_REPLY_ENDED);
  double used = now() - start;
  struct cposix_order release = {.type = CPOSIX_ORDER_RELEASE, .run = run};
  send_order(channel, &release, NULL, 0, NULL, 0);
  close_all(ours);
  if (reply.code != 0 || reply.signal != 0) stop("true did not succeed", EINVAL);
  return used;
}

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

enum { ALONE, SUPERVISED, MORE, BOX_MORE, SAMPLE_KINDS };

int main(int count, char **words) {
  int pairs = count > 1 ? atoi(words[1]) : PAIR_COUNT_DEFAULT;
  if (pairs < 1) stop("the number of pairs", EINVAL);
  int32_t ours, theirs;
  int32_t error = cposix_channel(&ours, &theirs);
  if (error < 0) stop("the channel", -error);
  pid_t supervisor = fork();
  if (supervisor == 0) {
    close(ours);
    _exit(cposix_supervise(theirs) < 0);
  }
  close(theirs);
  receive(ours);

  static struct body plain, boxed;
  bool has_box = cposix_box_landlock() > 0;
  add_strings(&plain);
  if (has_box) {
    make_box(&boxed);
    add_strings(&boxed);
  }
  double *samples[SAMPLE_KINDS];
  for (int kind = 0; kind < SAMPLE_KINDS; kind++)
    samples[kind] = calloc((size_t)pairs, sizeof(double));
  uint64_t run = 0;
  for (int pair = -WARM_UP_COUNT; pair < pairs; pair++) {
    double first = uncontained();
    double second = contained(ours, ++run, &plain);
    double third = has_box ? contained(ours, ++run, &boxed) : 0;
    if (pair < 0) continue;
    samples[ALONE][pair] = first;
    samples[SUPERVISED][pair] = second;
    samples[MORE][pair] = second - first;
    samples[BOX_MORE][pair] = third - first;
  }
  close(ours);
  waitpid(supervisor, NULL, 0);
  for (int kind = 0; kind < SAMPLE_KINDS; kind++)
    qsort(samples[kind], (size_t)pairs, sizeof(double), ascending);
  printf("{\"pairs\": %d, \"uncontained_us\": %.1f, \"contained_us\": %.1f, \"more_us\": %.1f, "
         "\"more_p90_us\": %.1f, ",
         pairs, samples[ALONE][pairs / 2], samples[SUPERVISED][pairs / 2],
         samples[MORE][pairs / 2], samples[MORE][pairs * 9 / 10]);
  if (has_box) {
    printf("\"box_more_us\": %.1f, \"box_more_p90_us\": %.1f}\n", samples[BOX_MORE][pairs / 2],
           samples[BOX_MORE][pairs * 9 / 10]);
  } else {
    printf("\"box_more_us\": null, \"box_more_p90_us\": null}\n");
  }
  return 0;
}
