// A name service for tests: stands in front of the C library's getaddrinfo for this process.
//
// Names that end in ".resolver.test" are answered here, with 127.0.0.1, once the test lets them be;
// everything else goes where it always goes. libcurl asks on threads of its own.

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>

#include "CTestSupport.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_held;
static int under_way;
static int most_under_way;
static int asked;

typedef int (*lookup)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static int is_ours(const char *name) {
    static const char suffix[] = ".resolver.test";
    size_t length = name ? strlen(name) : 0;
    size_t wanted = sizeof suffix - 1;
    return length > wanted && strcmp(name + length - wanted, suffix) == 0;
}

static void wait_to_answer(void) {
    pthread_mutex_lock(&lock);
    asked++;
    under_way++;
    if (under_way > most_under_way) most_under_way = under_way;
    pthread_cond_broadcast(&changed);
    while (is_held) pthread_cond_wait(&changed, &lock);
    under_way--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int getaddrinfo(
    const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    lookup next = (lookup)dlsym(RTLD_NEXT, "getaddrinfo");
    if (!next) return EAI_SYSTEM;
    if (!is_ours(name)) return next(name, service, hints, result);
    wait_to_answer();
    struct addrinfo numeric = {.ai_family = AF_INET, .ai_flags = AI_NUMERICHOST};
    if (hints) numeric.ai_socktype = hints->ai_socktype;
    return next("127.0.0.1", service, &numeric, result);
}

void ts_resolver_hold(void) {
    pthread_mutex_lock(&lock);
    is_held = 1;
    asked = most_under_way = 0;
    pthread_mutex_unlock(&lock);
}

void ts_resolver_release(void) {
    pthread_mutex_lock(&lock);
    is_held = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void ts_resolver_await(int count) {
    pthread_mutex_lock(&lock);
    while (under_way < count) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

int ts_resolver_asked(void) {
    pthread_mutex_lock(&lock);
    int count = asked;
    pthread_mutex_unlock(&lock);
    return count;
}

int ts_resolver_most_under_way(void) {
    pthread_mutex_lock(&lock);
    int count = most_under_way;
    pthread_mutex_unlock(&lock);
    return count;
}
