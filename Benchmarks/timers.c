// timers: the cost of one uv_timer_t among a million waiting ones: insert, cancel and fire in
// nanoseconds of processor time, and bytes. `engine-speed queue` is compared with it, in the same
// run.
//
//     timers [COUNT]
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

static uint64_t state = 1;

static uint64_t next_random(void) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static size_t resident(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long size = 0, pages = 0;
  if (file == NULL || fscanf(file, "%lu %lu", &size, &pages) != 2) exit(1);
  fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t fired;

static void on_fire(uv_timer_t *timer) {
  (void)timer;
  fired++;
}

// Between a minute and a day: none comes due while they are handled.
static uint64_t far_away(void) { return 60000 + next_random() % 86400000; }

int main(int argc, char **argv) {
  size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
  size_t part = count / 5;
  uv_loop_t *loop = uv_default_loop();
  uint32_t *order = malloc(part * sizeof *order);
  if (count == 0 || order == NULL) return 1;
  for (size_t i = 0; i < part; i++) order[i] = next_random() % count;

  size_t before = resident();
  uv_timer_t *timers = malloc(count * sizeof *timers);
  if (timers == NULL) return 1;
  for (size_t i = 0; i < count; i++) {
    uv_timer_init(loop, &timers[i]);
    uv_timer_start(&timers[i], on_fire, far_away(), 0);
  }
  double bytes = (double)(resident() - before) / count;

  double start = nanoseconds();
  for (size_t i = 0; i < part; i++) uv_timer_stop(&timers[order[i]]);
  double cancel = (nanoseconds() - start) / part;

  start = nanoseconds();
  for (size_t i = 0; i < part; i++) uv_timer_start(&timers[order[i]], on_fire, far_away(), 0);
  double insert = (nanoseconds() - start) / part;

  // A part of them, due at once: each leaves a heap of a million.
  for (size_t i = 0; i < part; i++) uv_timer_start(&timers[order[i]], on_fire, next_random() % 2, 0);
  struct timespec pause = {0, 5000000};
  nanosleep(&pause, NULL);
  start = nanoseconds();
  uv_update_time(loop);
  uv_run(loop, UV_RUN_NOWAIT);
  double fire = (nanoseconds() - start) / (fired > 0 ? fired : 1);

  printf("{\"insert_ns\": %.1f, \"cancel_ns\": %.1f, \"fire_ns\": %.1f, \"bytes\": %.1f, "
         "\"fired\": %zu}\n", insert, cancel, fire, bytes, fired);
  return 0;
}
