/* The clock of a simulated machine, to be preloaded: that of this machine, moved by what a shared file says.

   The file holds numbers of 64 bits, in nanoseconds: the first one is how long all machines have slept; those after it are how
   wrong the clock of each machine is. Sleep moves CLOCK_REALTIME and CLOCK_BOOTTIME, as when machines are suspended. A wrong
   clock moves CLOCK_REALTIME alone. CLOCK_MONOTONIC, by which programs wait, is left as it is.

   It asks the kernel itself: looking up the functions that it replaces is not safe while a program starts. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

static const volatile int64_t *slept, *skew;

__attribute__((constructor)) static void open_clock(void)
{
    const char *path = getenv("MACHINE_CLOCK_FILE"), *number = getenv("MACHINE_CLOCK_NUMBER");
    int file = path && number ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    const int64_t *map = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (map == MAP_FAILED)
        return;
    skew = map + 1 + atoi(number);
    slept = map;
}

int clock_gettime(clockid_t id, struct timespec *time)
{
    if (syscall(SYS_clock_gettime, id, time))
        return -1;
    int moves_wall = id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE;
    if (!slept || (!moves_wall && id != CLOCK_BOOTTIME))
        return 0;
    int64_t sum = time->tv_sec * SECOND + time->tv_nsec + *slept + (moves_wall ? *skew : 0);
    time->tv_sec = sum / SECOND;
    time->tv_nsec = sum % SECOND;
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result)
        *result = now.tv_sec;
    return now.tv_sec;
}
