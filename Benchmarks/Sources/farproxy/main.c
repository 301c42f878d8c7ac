// A proxy for TCP on loopback that makes a server far: what client and server send arrives after a delay,
// and some connections break off. It knows nothing of HTTP.
//
//     farproxy --target PORT [--port P] [--delay-ms D] [--drop-every N]
//
// Each way takes D milliseconds (0). Connections are accepted at once, since the kernel does that. Of the
// parts that it reads from the server, which are whole responses if those are short, it cuts each Nth in
// half, passes the first half on, and resets both connections (none).
//
// Its first line on stdout is the port. Lines on its stdin change what it does from then on:
//
//     delay D     milliseconds; bytes that wait already keep their delay, and go first
//     drop N      cut each Nth part in half; 0: none
//     refuse N    reset the connections instead of passing on each Nth part; 0: none
//
// For each line, an empty one, too, it prints a line of JSON: connections accepted and dropped since the last
// one. It runs until its stdin ends, so that it doesn't outlive the script that started it.

#include "link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { events_a_turn = 1024, backlog = 4096 };

static struct {
    struct far far;
    int epoll, listener, port, target;
    long long accepted;
    char line[256]; // of stdin, as far as it has come
    size_t line_count;
} proxy;

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "farproxy: %s: %s\n", what, strerror(errno));
    exit(70);
}

static void watch(int descriptor, uint32_t events, void *pointer) {
    struct epoll_event event = {.events = events, .data.ptr = pointer};
    if (epoll_ctl(proxy.epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) fail("epoll_ctl");
}

static struct sockaddr_in loopback(int port) {
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int make_socket(void) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) fail("socket");
    return descriptor;
}

// The descriptor of a connection that begins; -1: the server takes none.
static int connect_to_target(void) {
    int descriptor = make_socket();
    struct sockaddr_in address = loopback(proxy.target);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0 || errno == EINPROGRESS)
        return descriptor;
    close(descriptor);
    return -1;
}

static void start_link(int client) {
    int server = connect_to_target();
    if (server < 0) {
        close(client);
        return;
    }
    int one = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct link *link = link_make(client, server);
    if (!link) fail("memory for a connection");
    uint32_t events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    watch(client, events, &link->client);
    watch(server, events, &link->server);
}

static void accept_all(void) {
    for (;;) {
        int client = accept4(proxy.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (client < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
        if (client < 0 && errno == EAGAIN) return;
        if (client < 0) fail("accept");
        proxy.accepted++;
        start_link(client);
    }
}

static void listen_on(int port) {
    proxy.listener = make_socket();
    int one = 1;
    setsockopt(proxy.listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in address = loopback(port);
    socklen_t size = sizeof address;
    if (bind(proxy.listener, (struct sockaddr *)&address, size) != 0) fail("bind");
    if (listen(proxy.listener, backlog) != 0) fail("listen");
    if (getsockname(proxy.listener, (struct sockaddr *)&address, &size) != 0) fail("getsockname");
    proxy.port = ntohs(address.sin_port);
    watch(proxy.listener, EPOLLIN | EPOLLET, &proxy.listener);
}

static void obey(const char *line) {
    long long number = 0;
    if (sscanf(line, "delay %lld", &number) == 1) {
        proxy.far.delay = (double)number;
    } else if (sscanf(line, "drop %lld", &number) == 1) {
        proxy.far.drop_every = number;
        proxy.far.drops_all = false;
    } else if (sscanf(line, "refuse %lld", &number) == 1) {
        proxy.far.drop_every = number;
        proxy.far.drops_all = true;
    } else if (*line != 0) {
        fprintf(stderr, "farproxy: unknown line: %s\n", line);
    }
}

// False: stdin has ended.
static bool answer_lines(void) {
    char bytes[256];
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (count <= 0) return false;
    for (ssize_t index = 0; index < count; index++) {
        if (bytes[index] != '\n') {
            if (proxy.line_count < sizeof proxy.line - 1) proxy.line[proxy.line_count++] = bytes[index];
            continue;
        }
        proxy.line[proxy.line_count] = 0;
        proxy.line_count = 0;
        obey(proxy.line);
        printf("{\"accepted\": %lld, \"dropped\": %lld}\n", proxy.accepted, proxy.far.dropped);
        fflush(stdout);
        proxy.accepted = proxy.far.dropped = 0;
    }
    return true;
}

static void act_on(const struct epoll_event *event) {
    struct end *end = event->data.ptr;
    // Closed by an earlier event of the same turn.
    if (end->descriptor < 0) return;
    if (event->events & EPOLLERR) {
        end_fail(&proxy.far, end);
        return;
    }
    if (event->events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP)) end_read(&proxy.far, end);
    if (event->events & EPOLLOUT) end_write(&proxy.far, end);
}

static void run(void) {
    struct epoll_event events[events_a_turn];
    for (;;) {
        int count = epoll_wait(proxy.epoll, events, events_a_turn, far_pass_on(&proxy.far));
        for (int index = 0; index < count; index++) {
            if (events[index].data.ptr == &proxy.listener) accept_all();
            else if (events[index].data.ptr != &proxy) act_on(&events[index]);
            else if (!answer_lines()) return;
        }
        far_free_closed(&proxy.far);
    }
}

static _Noreturn void refuse(const char *what, const char *value) {
    fprintf(stderr,
            "farproxy: %s: %s\nusage: farproxy --target PORT [--port P] [--delay-ms D] [--drop-every N]\n",
            value, what);
    exit(64);
}

static long long number(const char *text, long long least, long long most) {
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != 0 || value < least || value > most)
        refuse("not a value that this option takes", text);
    return value;
}

int main(int argc, char **argv) {
    long long port = 0, delay = 0, drop_every = 0;
    for (int index = 1; index < argc; index += 2) {
        if (index + 1 == argc) refuse("unknown, or without a value", argv[index]);
        const char *value = argv[index + 1];
        if (strcmp(argv[index], "--port") == 0) port = number(value, 0, 65535);
        else if (strcmp(argv[index], "--target") == 0) proxy.target = (int)number(value, 1, 65535);
        else if (strcmp(argv[index], "--delay-ms") == 0) delay = number(value, 0, 60000);
        else if (strcmp(argv[index], "--drop-every") == 0) drop_every = number(value, 1, 1LL << 62);
        else refuse("unknown option", argv[index]);
    }
    if (proxy.target == 0) refuse("missing", "--target");
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    far_open(&proxy.far, (double)delay, drop_every);
    proxy.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (proxy.epoll < 0) fail("epoll_create1");
    // A file or a terminal that can't be watched never ends.
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &proxy};
    epoll_ctl(proxy.epoll, EPOLL_CTL_ADD, STDIN_FILENO, &event);
    listen_on((int)port);
    printf("%d\n", proxy.port);
    fflush(stdout);
    run();
    return 0;
}
