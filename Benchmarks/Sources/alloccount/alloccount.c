// Counts what a process allocates: preloaded, it stands in front of glibc's own functions.
//
//     LD_PRELOAD=liballoccount.so ALLOCCOUNT_FILE=counted some-program
//
// When the process ends, the file named by ALLOCCOUNT_FILE has one line: calls, and bytes asked for.

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// Each thread counts in a slot on a cache line of its own, so that counting barely slows it. A slot
// outlives its thread; if there are more threads than slots, they share the last one.
enum { slot_count = 256 };

static struct slot {
    _Alignas(64) _Atomic uint64_t calls;
    _Atomic uint64_t bytes;
} slots[slot_count];

static _Atomic unsigned next_slot;

// In the block that the loader sets up with each thread: no allocation is needed to reach it.
static _Thread_local struct slot *own_slot __attribute__((tls_model("initial-exec")));

static void count(size_t bytes) {
    if (!own_slot) {
        unsigned index = atomic_fetch_add_explicit(&next_slot, 1, memory_order_relaxed);
        own_slot = &slots[index < slot_count ? index : slot_count - 1];
    }
    atomic_fetch_add_explicit(&own_slot->calls, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&own_slot->bytes, bytes, memory_order_relaxed);
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t members, size_t size) {
    count(members * size);
    return __libc_calloc(members, size);
}

void *realloc(void *memory, size_t size) {
    count(size);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    // Unlike the others, it leaves errno alone.
    int before = errno;
    void *made = memalign(alignment, size);
    errno = before;
    if (!made) return ENOMEM;
    *memory = made;
    return 0;
}

__attribute__((destructor)) static void report(void) {
    uint64_t calls = 0, bytes = 0;
    for (int index = 0; index < slot_count; index++) {
        calls += atomic_load_explicit(&slots[index].calls, memory_order_relaxed);
        bytes += atomic_load_explicit(&slots[index].bytes, memory_order_relaxed);
    }
    const char *path = getenv("ALLOCCOUNT_FILE");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%llu %llu\n", (unsigned long long)calls, (unsigned long long)bytes);
    fclose(file);
}
