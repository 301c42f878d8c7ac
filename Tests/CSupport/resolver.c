// A name service for tests: replaces the C library's getaddrinfo in this process.
//
// Names that end in one of its suffixes resolve to 127.0.0.1, as soon as the test allows it; all
// other names go to the C library. Each suffix is a separate service, so that parallel tests don't
// interfere. libcurl calls getaddrinfo on its own threads.

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "CTestSupport.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

struct service {
    const char *suffix;
    int is_held;
    // Counts the calls of `ts_resolver_hold`: a look-up pending since an earlier one isn't counted.
    int generation;
    int under_way;
    int most_under_way;
    int asked;
};

static struct service services[] = {{.suffix = ".resolver.test"}, {.suffix = ".lookup.test"}};

enum { service_count = sizeof services / sizeof *services };

typedef int (*lookup)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static struct service *service_of(const char *name) {
    size_t length = name ? strlen(name) : 0;
    for (int number = 0; number < service_count; number++) {
        size_t wanted = strlen(services[number].suffix);
        if (length <= wanted) continue;
        if (strcmp(name + length - wanted, services[number].suffix) == 0) return &services[number];
    }
    return NULL;
}

static void wait_to_answer(struct service *service) {
    pthread_mutex_lock(&lock);
    service->asked++;
    service->under_way++;
    if (service->under_way > service->most_under_way) service->most_under_way = service->under_way;
    pthread_cond_broadcast(&changed);
    int generation = service->generation;
    while (service->is_held && service->generation == generation)
        pthread_cond_wait(&changed, &lock);
    if (service->generation == generation) service->under_way--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int getaddrinfo(
    const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    lookup next = (lookup)dlsym(RTLD_NEXT, "getaddrinfo");
    if (!next) return EAI_SYSTEM;
    struct service *ours = service_of(name);
    if (!ours) return next(name, service, hints, result);
    wait_to_answer(ours);
    struct addrinfo numeric = {.ai_family = AF_INET, .ai_flags = AI_NUMERICHOST};
    if (hints) numeric.ai_socktype = hints->ai_socktype;
    return next("127.0.0.1", service, &numeric, result);
}

void ts_resolver_hold(int number) {
    pthread_mutex_lock(&lock);
    services[number].is_held = 1;
    services[number].generation++;
    services[number].asked = services[number].most_under_way = services[number].under_way = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void ts_resolver_release(int number) {
    pthread_mutex_lock(&lock);
    services[number].is_held = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int ts_resolver_await(int number, int count, int seconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += seconds;
    int result = 0;
    pthread_mutex_lock(&lock);
    while (result == 0 && services[number].under_way < count)
        result = pthread_cond_timedwait(&changed, &lock, &deadline);
    pthread_mutex_unlock(&lock);
    return result;
}

int ts_resolver_asked(int number) {
    pthread_mutex_lock(&lock);
    int count = services[number].asked;
    pthread_mutex_unlock(&lock);
    return count;
}

int ts_resolver_most_under_way(int number) {
    pthread_mutex_lock(&lock);
    int count = services[number].most_under_way;
    pthread_mutex_unlock(&lock);
    return count;
}
