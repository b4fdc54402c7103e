/* A wall clock that jumps by years, forth and back, from one look at it to the next; preloaded by a test. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *now) {
    static atomic_uint looks;
    int failed = (int)syscall(SYS_clock_gettime, id, now);
    if (!failed && id == CLOCK_REALTIME) {
        unsigned look = atomic_fetch_add(&looks, 1);
        now->tv_sec = look % 3 == 0 ? now->tv_sec + 1000000000 : look % 3 == 1 ? 1 : now->tv_sec;
    }
    return failed;
}
