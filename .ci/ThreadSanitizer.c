// Tells the thread sanitizer about the locks that it can't see.
//
// Linked into each program that .ci/sanitize builds for the thread sanitizer. Swift's own
// libraries aren't instrumented. `Mutex` takes and leaves a free lock by an atomic operation that
// is inlined into our code, and seen; a lock that is waited for changes hands in the kernel, by
// functions inside libswiftSynchronization.so. These stand in front of that library's, and say so.
// .ci/ThreadSanitizerCheck.swift shows that they do.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// To files (REPORTS is given to the compiler): of what a program that a test starts writes, not
// everything is looked at. A command that a second signal ends doesn't wait for its threads: that it
// leaves them isn't reported.
const char *__tsan_default_options(void) { return "report_thread_leaks=0:log_path=" REPORTS; }

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// Synchronization._MutexHandle._lockSlow(UInt32), ._tryLockSlow() -> Bool and ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void unlock(SELF) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF) {
    SWIFT void (*next)(uint32_t thread, SELF) = dlsym(RTLD_NEXT, LOCK);
    next(thread, self);
    __tsan_acquire(self);
}

SWIFT bool try_lock(SELF) {
    SWIFT bool (*next)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool taken = next(self);
    if (taken) __tsan_acquire(self);
    return taken;
}

SWIFT void unlock(SELF) {
    SWIFT void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(self);
    next(self);
}
