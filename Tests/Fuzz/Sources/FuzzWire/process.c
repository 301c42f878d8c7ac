// Starts a process that may crash, shares memory with it, and measures resources.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bytes.h"

enum { shared_descriptor = 3 };

pid_t fuzz_spawn(const char *path, char *const arguments[], char *const environment[], int shared, int *output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, shared, shared_descriptor);
    pid_t child = -1;
    if (posix_spawn(&child, path, &actions, NULL, arguments, environment) != 0) child = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *output = ends[0];
    if (child < 0) close(ends[0]);
    return child;
}

int fuzz_shared_make(size_t count) {
    int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    if (descriptor < 0 || ftruncate(descriptor, (off_t)(count * sizeof(uint64_t))) != 0) return -1;
    // Not number 3, which it has in a child: the spawn would close it there.
    int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
    close(descriptor);
    return higher;
}

uint64_t *fuzz_shared(int descriptor, size_t count) {
    void *memory = mmap(NULL, count * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static size_t entries(const char *path) {
    size_t count = 0;
    DIR *folder = opendir(path);
    if (!folder) return 0;
    while (readdir(folder)) count++;
    closedir(folder);
    // Without `.` and `..`.
    return count - 2;
}

fuzz_resources fuzz_measure(void) {
    fuzz_resources found = {0};
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%*s %ld", &pages) == 1) found.memory = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
    if (file) fclose(file);
    // Without the descriptor of the folder itself.
    found.descriptors = entries("/proc/self/fd") - 1;
    found.threads = entries("/proc/self/task");
    return found;
}

double fuzz_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

bool fuzz_take_file(const char *path, fuzz_bytes *content) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    uint8_t part[16 * 1024];
    for (;;) {
        ssize_t count = read(file, part, sizeof part);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        bytes_add(content, part, (size_t)count);
    }
    close(file);
    unlink(path);
    return true;
}

void fuzz_bytes_free(fuzz_bytes *bytes) { bytes_free(bytes); }

bool fuzz_make_folder(char *template) { return mkdtemp(template) != NULL; }

static int remove_entry(const char *path, const struct stat *unused, int kind, struct FTW *place) {
    (void)unused;
    (void)kind;
    (void)place;
    return remove(path);
}

void fuzz_remove_folder(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }
