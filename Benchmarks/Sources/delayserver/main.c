// An HTTP/1.1 server on loopback that answers every request after the same delay, holds tens of
// thousands of connections, and swallows uploads.
//
//     delayserver [--port P] [--delay-ms D] [--body-bytes B] [--all-hosts 1]
//
// With `--all-hosts 1`, it serves all addresses of the network 127.0.0.0/8, not only
// 127.0.0.1. For that it listens on all addresses, and closes connections from other networks.
//
// Its first line on stdout is the port. `GET /stats` is answered at once with a line of JSON on what
// happened since the last one: connections, requests, bytes of their bodies. It runs until SIGTERM or
// SIGINT, or until its stdin ends, so that it doesn't outlive the script that started it.

#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Several sockets listen on the port: one alone would drop part of a burst of ten thousand.
enum { listener_count = 8, events_a_turn = 1024 };

static struct {
    int epoll, port;
    double delay;
    uint64_t body_bytes;
    struct connection waiting; // head of a ring, the earliest due first
    int listeners[listener_count];
    bool is_for_all_hosts;
    int ending; // a descriptor that becomes readable when the server has to end
    long long open, accepted, most_open, requests, swallowed;
} server;

static _Noreturn void fail(const char *what) {
    perror(what);
    exit(70);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void watch(int descriptor, uint32_t events, void *pointer) {
    struct epoll_event event = {.events = events, .data.ptr = pointer};
    if (epoll_ctl(server.epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) fail("epoll_ctl");
}

static void stop_waiting(struct connection *connection) {
    if (!connection->next) return;
    connection->previous->next = connection->next;
    connection->next->previous = connection->previous;
    connection->next = connection->previous = NULL;
}

static void start_waiting(struct connection *connection) {
    connection->due = now() + server.delay;
    connection->next = &server.waiting;
    connection->previous = server.waiting.previous;
    connection->previous->next = connection;
    server.waiting.previous = connection;
}

static enum connection_need answer(struct connection *connection) {
    char text[224];
    if (!connection->wants_stats) {
        server.requests++;
        server.swallowed += (long long)connection->body_bytes;
        return connection_answer(connection, server.body_bytes, NULL);
    }
    snprintf(text, sizeof text,
             "{\"accepted\": %lld, \"open\": %lld, \"most_open\": %lld, \"requests\": %lld, "
             "\"swallowed\": %lld}\n",
             server.accepted, server.open, server.most_open, server.requests, server.swallowed);
    server.accepted = server.requests = server.swallowed = 0;
    server.most_open = server.open;
    return connection_answer(connection, 0, text);
}

// False: the connection is gone.
static bool satisfy(struct connection *connection, enum connection_need need) {
    while (need == NEEDS_DELAY) {
        if (server.delay > 0 && !connection->wants_stats) {
            start_waiting(connection);
            return true;
        }
        need = answer(connection);
    }
    if (need == NEEDS_NOTHING) return true;
    stop_waiting(connection);
    connection_free(connection);
    server.open--;
    return false;
}

static void accept_all(int listener) {
    for (;;) {
        struct sockaddr_in peer;
        socklen_t size = sizeof peer;
        int descriptor = accept4(listener, (struct sockaddr *)&peer, &size,
                                 SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
        if (descriptor < 0) return; // none left; or out of descriptors, and then they wait
        if (ntohl(peer.sin_addr.s_addr) >> 24 != 127) {
            close(descriptor);
            continue;
        }
        int one = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct connection *connection = connection_make(descriptor);
        if (!connection) fail("memory for a connection");
        server.accepted++;
        if (++server.open > server.most_open) server.most_open = server.open;
        watch(descriptor, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, connection);
    }
}

static void listen_on(int port) {
    for (int index = 0; index < listener_count; index++) {
        int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        int one = 1;
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
        in_addr_t host = server.is_for_all_hosts ? INADDR_ANY : INADDR_LOOPBACK;
        struct sockaddr_in address = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)port),
                                      .sin_addr.s_addr = htonl(host)};
        socklen_t size = sizeof address;
        if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 65535) != 0)
            fail("listen");
        getsockname(listener, (struct sockaddr *)&address, &size);
        port = ntohs(address.sin_port);
        server.listeners[index] = listener;
        watch(listener, EPOLLIN, &server.listeners[index]);
    }
    server.port = port;
}

static void watch_for_the_end(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    server.ending = signalfd(-1, &signals, SFD_CLOEXEC);
    watch(server.ending, EPOLLIN, &server.ending);
    // epoll reports only the end of a pipe; a terminal or a file isn't watched.
    struct epoll_event event = {.events = EPOLLHUP, .data.ptr = &server.ending};
    epoll_ctl(server.epoll, EPOLL_CTL_ADD, STDIN_FILENO, &event);
}

static bool is_listener(const void *pointer) {
    const int *listener = pointer;
    return listener >= server.listeners && listener < server.listeners + listener_count;
}

static void act_on(const struct epoll_event *event) {
    if (is_listener(event->data.ptr)) {
        accept_all(*(int *)event->data.ptr);
        return;
    }
    struct connection *connection = event->data.ptr;
    if (event->events & EPOLLOUT && !satisfy(connection, connection_write(connection))) return;
    if (event->events & EPOLLIN && !satisfy(connection, connection_read(connection))) return;
    if (event->events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) satisfy(connection, NEEDS_CLOSE);
}

static void answer_due(void) {
    double time = now();
    while (server.waiting.next != &server.waiting && server.waiting.next->due <= time) {
        struct connection *connection = server.waiting.next;
        stop_waiting(connection);
        satisfy(connection, answer(connection));
    }
}

static void run(void) {
    struct epoll_event events[events_a_turn];
    for (;;) {
        int timeout = -1;
        if (server.waiting.next != &server.waiting) {
            double left = server.waiting.next->due - now();
            timeout = left <= 0 ? 0 : (int)left + 1;
        }
        int count = epoll_wait(server.epoll, events, events_a_turn, timeout);
        for (int index = 0; index < count; index++) {
            if (events[index].data.ptr == &server.ending) return;
            act_on(&events[index]);
        }
        answer_due();
    }
}

int main(int argc, char **argv) {
    int port = 0;
    for (int index = 1; index + 1 < argc; index += 2) {
        const char *value = argv[index + 1];
        if (strcmp(argv[index], "--port") == 0) port = atoi(value);
        else if (strcmp(argv[index], "--delay-ms") == 0) server.delay = atof(value);
        else if (strcmp(argv[index], "--body-bytes") == 0)
            server.body_bytes = strtoull(value, NULL, 10);
        else if (strcmp(argv[index], "--all-hosts") == 0)
            server.is_for_all_hosts = atoi(value) != 0;
        else {
            fprintf(stderr, "delayserver: unknown option: %s\n", argv[index]);
            return 64;
        }
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    server.waiting.next = server.waiting.previous = &server.waiting;
    server.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (server.epoll < 0) fail("epoll_create1");
    watch_for_the_end();
    listen_on(port);
    printf("%d\n", server.port);
    fflush(stdout);
    run();
    return 0;
}
