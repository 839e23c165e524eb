/* calibrate: how fast this machine is just now, for figures that are not ratios.
 *
 * A fixed number of steps that depend on each other, in registers only: no memory, no system
 * call. Prints the milliseconds. A figure measured beside it can be compared between two moments
 * (and, roughly, two machines) by dividing the times.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

int main(void)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    uint64_t x = 88172645463325252u;
    for (uint64_t i = 0; i < 100000000u; i++) { /* xorshift64, Marsaglia 2003 */
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double ms = (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6;
    /* The value is printed so that the loop cannot be left out. */
    printf("{\"milliseconds\":%.3f,\"value\":\"%016llx\"}\n", ms, (unsigned long long)x);
    return 0;
}
