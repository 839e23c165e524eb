// Times a run of `true`: started by this process, as an application is, and by the supervisor, as a
// provider is, in turns, so that both meet the same machine. Prints one JSON object.
//
//   build/runs [PAIRS]
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAIR_COUNT_DEFAULT = 500, WARM_UP_COUNT = 20 };

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
      .data_bytes_max = 256u << 20, .denies_core = true, .dies_with_parent = true};
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

static double contained(int32_t channel, uint64_t run) {
  static const char body[] = "/bin/true\0/\0/nonexistent\0true\0PATH=/usr/bin:/bin";
  int32_t ours[3], theirs[3];
  double start = now();
  make_pipes(ours, theirs);
  struct cposix_order order = {
      .type = CPOSIX_ORDER_START, .denies_privileges = 1, .run = run,
      .limits = {.data_bytes_max = 256u << 20, .memory_bytes_max = 256u << 20,
                 .file_bytes_max = 256u << 20, .cache_bytes_max = 256u << 20,
                 .cpu_microseconds_max = 30000000, .process_count_max = 64},
      .strings_length = sizeof body, .argument_count = 1, .environment_count = 1,
      .descriptors = 7};
  send_order(channel, &order, body, sizeof body, theirs, 3);
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

  double *alone = calloc((size_t)pairs, sizeof *alone);
  double *supervised = calloc((size_t)pairs, sizeof *supervised);
  double *more = calloc((size_t)pairs, sizeof *more);
  for (int pair = -WARM_UP_COUNT; pair < pairs; pair++) {
    double first = uncontained();
    double second = contained(ours, (uint64_t)(pair + WARM_UP_COUNT + 1));
    if (pair < 0) continue;
    alone[pair] = first;
    supervised[pair] = second;
    more[pair] = second - first;
  }
  close(ours);
  waitpid(supervisor, NULL, 0);
  qsort(alone, (size_t)pairs, sizeof *alone, ascending);
  qsort(supervised, (size_t)pairs, sizeof *supervised, ascending);
  qsort(more, (size_t)pairs, sizeof *more, ascending);
  printf("{\"pairs\": %d, \"uncontained_us\": %.1f, \"contained_us\": %.1f, \"more_us\": %.1f, "
         "\"more_p90_us\": %.1f}\n",
         pairs, alone[pairs / 2], supervised[pairs / 2], more[pairs / 2], more[pairs * 9 / 10]);
  return 0;
}
