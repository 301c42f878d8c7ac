#include "loop.h"

#include "LoadSupport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { events_a_turn = 512 };

static _Noreturn void fail(const char *what) {
    perror(what);
    exit(70);
}

static struct watched_socket *state_of(struct loop *loop, int descriptor) {
    if (descriptor >= loop->socket_capacity) {
        int capacity = descriptor < 512 ? 1024 : descriptor * 2;
        loop->sockets = realloc(loop->sockets, (size_t)capacity * sizeof *loop->sockets);
        if (!loop->sockets) fail("memory for sockets");
        memset(loop->sockets + loop->socket_capacity, 0,
               (size_t)(capacity - loop->socket_capacity) * sizeof *loop->sockets);
        loop->socket_capacity = capacity;
    }
    return &loop->sockets[descriptor];
}

static void change_registration(struct loop *loop, int descriptor, uint8_t events) {
    struct watched_socket *state = state_of(loop, descriptor);
    if (state->registered == events) return;
    int operation = events == 0              ? EPOLL_CTL_DEL
                    : state->registered == 0 ? EPOLL_CTL_ADD
                                             : EPOLL_CTL_MOD;
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    if (epoll_ctl(loop->epoll, operation, descriptor, &event) != 0) fail("epoll_ctl");
    state->registered = events;
}

static int watch_socket(CURL *easy, curl_socket_t descriptor, int what, void *context, void *unused) {
    (void)easy;
    (void)unused;
    struct loop *loop = context;
    struct watched_socket *state = state_of(loop, descriptor);
    state->wanted = what == CURL_POLL_REMOVE
                        ? 0
                        : (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    // A descriptor of libcurl's own (the resolver's socket pair) may be closed, and its number given
    // out again, without a word: those are never left behind.
    if (state->wanted != 0 || !state->ours) change_registration(loop, descriptor, state->wanted);
    return 0;
}

static int keep_deadline(CURLM *multi, long milliseconds, void *context) {
    (void)multi;
    struct loop *loop = context;
    // Zero comes with every added handle, and needs no clock.
    if (milliseconds > 0) loop->deadline = load_now() + (double)milliseconds;
    else loop->deadline = (double)milliseconds;
    return 0;
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    struct loop *loop = context;
    int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                            address->protocol);
    if (descriptor < 0) return CURL_SOCKET_BAD;
    *state_of(loop, descriptor) = (struct watched_socket){.ours = true};
    return descriptor;
}

static int close_socket(void *context, curl_socket_t descriptor) {
    struct loop *loop = context;
    // The close takes the socket out of the epoll set.
    *state_of(loop, descriptor) = (struct watched_socket){0};
    return close(descriptor);
}

void loop_open(struct loop *loop, int connections, bool has_wakeup) {
    *loop = (struct loop){.wakeup = -1, .deadline = -1};
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll < 0) fail("epoll_create1");
    if (has_wakeup) {
        loop->wakeup = load_wakeup_make();
        // Edge-triggered: each write is reported once, and nothing has to be read.
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = loop->wakeup};
        if (loop->wakeup < 0 || epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wakeup, &event) != 0)
            fail("eventfd");
    }
    loop->multi = curl_multi_init();
    if (!loop->multi) fail("curl_multi_init");
    curl_multi_setopt(loop->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(loop->multi, CURLMOPT_SOCKETDATA, loop);
    curl_multi_setopt(loop->multi, CURLMOPT_TIMERFUNCTION, keep_deadline);
    curl_multi_setopt(loop->multi, CURLMOPT_TIMERDATA, loop);
    curl_multi_setopt(loop->multi, CURLMOPT_MAXCONNECTS, (long)connections);
    curl_multi_setopt(loop->multi, CURLMOPT_MAX_CONCURRENT_STREAMS,
                      (long)(connections > 100 ? connections : 100));
}

void loop_close(struct loop *loop) {
    curl_multi_cleanup(loop->multi);
    if (loop->wakeup >= 0) close(loop->wakeup);
    close(loop->epoll);
    free(loop->sockets);
}

void loop_attach(struct loop *loop, CURL *easy) {
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, loop);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, loop);
}

void loop_wake(struct loop *loop) { load_wakeup_signal(loop->wakeup); }

bool loop_is_due(const struct loop *loop) {
    return loop->deadline >= 0 && (loop->deadline == 0 || loop->deadline <= load_now());
}

void loop_act_on_deadline(struct loop *loop) {
    int running = 0;
    loop->deadline = -1;
    curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

static void act_on_socket(struct loop *loop, struct epoll_event event) {
    int descriptor = event.data.fd;
    if (state_of(loop, descriptor)->wanted == 0) {
        change_registration(loop, descriptor, 0);
        return;
    }
    int running = 0;
    int mask = (event.events & EPOLLIN ? CURL_CSELECT_IN : 0) |
               (event.events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
               (event.events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    curl_multi_socket_action(loop->multi, descriptor, mask, &running);
}

void loop_wait(struct loop *loop) {
    int timeout = -1;
    if (loop->deadline >= 0) {
        double left = loop->deadline - load_now();
        timeout = left <= 0 ? 0 : left > 60000 ? 60000 : (int)left + 1;
    }
    struct epoll_event events[events_a_turn];
    int count = epoll_wait(loop->epoll, events, events_a_turn, timeout);
    for (int index = 0; index < count; index++)
        if (events[index].data.fd != loop->wakeup) act_on_socket(loop, events[index]);
}
