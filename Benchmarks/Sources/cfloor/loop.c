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
    struct shard *shard = context;
    struct loop *loop = shard->loop;
    struct watched_socket *state = state_of(loop, descriptor);
    state->shard = shard;
    state->wanted = what == CURL_POLL_REMOVE
                        ? 0
                        : (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    // A descriptor of libcurl's own (the resolver's socket pair) may be closed, and its number given
    // out again, without a word: those are never left behind.
    if (state->wanted != 0 || !state->ours) change_registration(loop, descriptor, state->wanted);
    return 0;
}

static void bring_forward(struct loop *loop, double deadline) {
    if (deadline >= 0 && (loop->deadline < 0 || deadline < loop->deadline)) loop->deadline = deadline;
}

static int keep_deadline(CURLM *multi, long milliseconds, void *context) {
    (void)multi;
    struct shard *shard = context;
    // Zero comes with every added handle, and needs no clock.
    if (milliseconds > 0) shard->deadline = load_now() + (double)milliseconds;
    else shard->deadline = (double)milliseconds;
    bring_forward(shard->loop, shard->deadline);
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

static void open_shard(struct shard *shard, struct loop *loop) {
    *shard = (struct shard){.loop = loop, .deadline = -1, .multi = curl_multi_init()};
    CURLM *multi = shard->multi;
    if (!multi) fail("curl_multi_init");
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, shard);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, keep_deadline);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, shard);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)loop->connections);
    curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS,
                      (long)(loop->connections > 100 ? loop->connections : 100));
}

// One thread has them all: the share needs no lock.
static void open_share(struct loop *loop) {
    loop->share = curl_share_init();
    if (!loop->share) fail("curl_share_init");
    curl_share_setopt(loop->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
    curl_share_setopt(loop->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

void loop_open(struct loop *loop, int transfers, int shard_size, bool has_wakeup) {
    bool is_sharded = shard_size > 0 && shard_size < transfers;
    *loop = (struct loop){.wakeup = -1, .deadline = -1};
    loop->shard_size = is_sharded ? shard_size : transfers;
    loop->shard_capacity = is_sharded ? (transfers + shard_size - 1) / shard_size : 1;
    loop->connections = loop->shard_size + 16;
    loop->shards = calloc((size_t)loop->shard_capacity, sizeof *loop->shards);
    if (!loop->shards) fail("memory for shards");
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll < 0) fail("epoll_create1");
    if (has_wakeup) {
        loop->wakeup = load_wakeup_make();
        // Edge-triggered: each write is reported once, and nothing has to be read.
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = loop->wakeup};
        if (loop->wakeup < 0 || epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wakeup, &event) != 0)
            fail("eventfd");
    }
    if (is_sharded) open_share(loop);
}

void loop_close(struct loop *loop) {
    for (int index = 0; index < loop->shard_count; index++)
        curl_multi_cleanup(loop->shards[index].multi);
    if (loop->share) curl_share_cleanup(loop->share);
    if (loop->wakeup >= 0) close(loop->wakeup);
    close(loop->epoll);
    free(loop->sockets);
    free(loop->shards);
}

void loop_share(struct loop *loop, CURL *easy) {
    if (loop->share) curl_easy_setopt(easy, CURLOPT_SHARE, loop->share);
}

void loop_attach(struct loop *loop, CURL *easy) {
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, loop);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, loop);
}

void loop_add(struct loop *loop, CURL *easy) {
    int index = loop->first_with_room;
    while (index < loop->shard_count && loop->shards[index].active == loop->shard_size) index++;
    loop->first_with_room = index;
    if (index == loop->shard_count) open_shard(&loop->shards[loop->shard_count++], loop);
    loop->shards[index].active++;
    curl_multi_add_handle(loop->shards[index].multi, easy);
}

static void touch(struct shard *shard) {
    if (shard->is_touched) return;
    shard->is_touched = true;
    shard->next_touched = shard->loop->touched;
    shard->loop->touched = shard;
}

CURL *loop_take_ended(struct loop *loop, CURLcode *code) {
    for (struct shard *shard; (shard = loop->touched); shard->is_touched = false) {
        int left = 0;
        for (CURLMsg *message; (message = curl_multi_info_read(shard->multi, &left));) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            *code = message->data.result;
            curl_multi_remove_handle(shard->multi, easy);
            shard->active--;
            int index = (int)(shard - loop->shards);
            if (index < loop->first_with_room) loop->first_with_room = index;
            return easy;
        }
        loop->touched = shard->next_touched;
    }
    return NULL;
}

void loop_wake(struct loop *loop) { load_wakeup_signal(loop->wakeup); }

bool loop_is_due(const struct loop *loop) {
    return loop->deadline >= 0 && (loop->deadline == 0 || loop->deadline <= load_now());
}

void loop_act_on_deadline(struct loop *loop) {
    // What is due at once needs no clock; what else is due is acted upon in the next turn.
    double now = loop->deadline > 0 ? load_now() : 0;
    loop->deadline = -1;
    for (struct shard *shard = loop->shards; shard < loop->shards + loop->shard_count; shard++) {
        if (shard->deadline >= 0 && shard->deadline <= now) {
            int running = 0;
            shard->deadline = -1;
            curl_multi_socket_action(shard->multi, CURL_SOCKET_TIMEOUT, 0, &running);
            touch(shard);
        }
        bring_forward(loop, shard->deadline);
    }
}

static void act_on_socket(struct loop *loop, struct epoll_event event) {
    int descriptor = event.data.fd;
    struct watched_socket *state = state_of(loop, descriptor);
    if (state->wanted == 0) {
        change_registration(loop, descriptor, 0);
        return;
    }
    struct shard *shard = state->shard;
    int running = 0;
    int mask = (event.events & EPOLLIN ? CURL_CSELECT_IN : 0) |
               (event.events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
               (event.events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    curl_multi_socket_action(shard->multi, descriptor, mask, &running);
    touch(shard);
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
