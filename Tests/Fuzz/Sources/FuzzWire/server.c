// A thread that answers requests with the responses from script.c.

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"

enum { events_a_turn = 512, late_milliseconds = 2, give_up_seconds = 5 };

static struct {
    int epoll, listener;
    atomic_ulong count;
    // Connections that send the rest a moment later, and those that wait for the end of another
    // exchange.
    struct connection *late, *waiting;
} server;

uint64_t fuzz_server_count(void) { return atomic_load(&server.count); }

static void watch(struct connection *connection, bool is_new) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (connection->needs_room) event.events |= EPOLLOUT;
    connection->watches_room = connection->needs_room;
    epoll_ctl(server.epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, connection->descriptor, &event);
}

static void enlist(struct connection **list, struct connection *connection, double due) {
    connection->due = due;
    connection->next = *list;
    connection->list = list;
    *list = connection;
}

static void delist(struct connection *connection) {
    if (!connection->list) return;
    struct connection **place = connection->list;
    while (*place != connection) place = &(*place)->next;
    *place = connection->next;
    connection->list = NULL;
}

static void settle(struct connection *connection) {
    if (!connection->is_answering) return;
    connection->is_answering = false;
    settled_add(connection->request.seed, connection->request.exchange);
    // Waiting connections check again.
    for (struct connection *waiting = server.waiting; waiting; waiting = waiting->next)
        waiting->due = 0;
}

static void drop(struct connection *connection) {
    if (connection->is_answering) atomic_fetch_add(&server.count, 1);
    settle(connection);
    delist(connection);
    // A process that is being started holds a copy of the descriptor for a moment, which would keep
    // it in the epoll set.
    epoll_ctl(server.epoll, EPOLL_CTL_DEL, connection->descriptor, NULL);
    connection_free(connection);
}

static void act(struct connection *connection, enum need need) {
    atomic_fetch_add(&server.count, connection->answers);
    connection->answers = 0;
    for (;;) {
        if (need != NEEDS_DROP && connection->watches_room != connection->needs_room) watch(connection, false);
        switch (need) {
        case NEEDS_NOTHING: return;
        case NEEDS_DROP: drop(connection); return;
        case NEEDS_PAUSE:
            enlist(&server.late, connection, fuzz_now() + late_milliseconds * 1e-3);
            return;
        case NEEDS_SETTLING:
            enlist(&server.waiting, connection, 0);
            connection->gives_up = fuzz_now() + give_up_seconds;
            return;
        case NEEDS_NEXT:
            if (connection->is_answering) atomic_fetch_add(&server.count, 1);
            settle(connection);
            need = connection_continue(connection);
        }
    }
}

static void take_connections(void) {
    for (;;) {
        int descriptor = accept4(server.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) return;
        int yes = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        struct connection *connection = connection_make(descriptor);
        if (!connection) abort();
        watch(connection, true);
    }
}

static void look_at_lists(double now) {
    struct connection *next;
    for (struct connection *late = server.late; late; late = next) {
        next = late->next;
        if (late->due > now) continue;
        delist(late);
        act(late, connection_send(late));
    }
    for (struct connection *waiting = server.waiting; waiting; waiting = next) {
        next = waiting->next;
        if (waiting->due > now) continue;
        bool is_over = now > waiting->gives_up ||
                       settled_has(waiting->request.seed, waiting->request.exchange);
        waiting->due = waiting->gives_up;
        if (!is_over) continue;
        delist(waiting);
        act(waiting, connection_answer_settled(waiting));
    }
}

static void *serve(void *unused) {
    static struct epoll_event events[events_a_turn];
    for (;;) {
        int patience = server.late ? 1 : server.waiting ? 100 : -1;
        int count = epoll_wait(server.epoll, events, events_a_turn, patience);
        for (int index = 0; index < count; index++) {
            struct connection *connection = events[index].data.ptr;
            if (!connection)
                take_connections();
            else if (events[index].events & (EPOLLERR | EPOLLHUP))
                drop(connection);
            else if (events[index].events & EPOLLOUT)
                act(connection, connection_send(connection));
            else
                act(connection, connection_receive(connection));
        }
        look_at_lists(fuzz_now());
    }
    return unused;
}

int fuzz_server_start(void) {
    signal(SIGPIPE, SIG_IGN);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    server.epoll = epoll_create1(EPOLL_CLOEXEC);
    server.listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    struct epoll_event event = {.events = EPOLLIN};
    pthread_t thread;
    // Listens on all addresses of the loopback net and no other: each case has its own address.
    if (server.epoll < 0 || server.listener < 0 ||
        setsockopt(server.listener, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3) != 0 ||
        bind(server.listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(server.listener, 4096) != 0 ||
        getsockname(server.listener, (struct sockaddr *)&address, &size) != 0 ||
        epoll_ctl(server.epoll, EPOLL_CTL_ADD, server.listener, &event) != 0 ||
        pthread_create(&thread, NULL, serve, NULL) != 0)
        return -1;
    return ntohs(address.sin_port);
}
