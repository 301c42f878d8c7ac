#include "LoadSupport.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double load_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

void load_raise_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

void load_become(const char *name, char *const *argv) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) {
        path[length] = 0;
        char *last = strrchr(path, '/') + 1;
        snprintf(last, (size_t)(path + sizeof path - last), "%s", name);
        execv(path, argv);
    }
    fprintf(stderr, "%s: %s\n", name, strerror(errno));
    exit(69);
}

int load_wakeup_make(void) { return eventfd(0, EFD_CLOEXEC); }

void load_wakeup_signal(int wakeup) {
    uint64_t one = 1;
    ssize_t written = write(wakeup, &one, sizeof one);
    (void)written; // It fails only when the count is full, and then the waiter is awake.
}

void load_wakeup_wait(int wakeup) {
    uint64_t count;
    while (read(wakeup, &count, sizeof count) < 0 && errno == EINTR) {}
}

bool load_write(int descriptor, const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = write(descriptor, next, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        next += written;
        count -= (size_t)written;
    }
    return true;
}
