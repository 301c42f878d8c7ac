// A client that counts the outcomes of requests. It sends HTTP/1.1 requests to one server on loopback. Each
// connection sends its next request when the former response is complete. Each request has its number in
// the field X-Number; a response with status 200 must have the same one.
//
//     countingclient --port PORT --requests N [--connections C] [--seconds S] [--patience S]
//                    --target WEIGHT,METHOD,PATH,BYTES…
//
// Targets take turns by their weights; BYTES is the length of a body with status 200. A request with
// POST sends 256 bytes. No request is sent twice. After S seconds, or SIGTERM, no further one is sent. A
// request without a complete response within the patience (60 seconds) ends as "silent".
//
// Four times a second it prints a line of JSON: the start of the quarter ("at", by CLOCK_MONOTONIC), its
// outcomes and latencies; at the end one with the "sent" requests and the sums. The exit status is 0 if
// each request that was sent has ended, with any outcome.

#include "response.h"
#include "tally.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { upload_bytes = 256, longest_request = 2048, most_turns = 4096, part_size = 64 * 1024 };
static const double quarter = 0.25;

struct target {
    const char *method, *path;
    long long bytes;
};

struct connection {
    int descriptor; // -1: none
    bool is_busy;
    int target;
    long long number;
    double started;
    size_t out_count, out_sent;
    char out[longest_request];
    struct response response;
};

static struct {
    struct target targets[most_targets];
    const char *names[most_targets];
    int target_count, turns[most_turns], turn_count;
    int port, epoll, connection_count, busy;
    long long requests, sent;
    double ends, patience, quarter_began;
    struct connection *connections;
    struct tally now, sum;
} client = {.connection_count = 64, .patience = 60};

static volatile sig_atomic_t stopped;

static void stop(int number) {
    (void)number;
    stopped = 1;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "countingclient: %s: %s\n", what, strerror(errno));
    exit(70);
}

static void disconnect(struct connection *connection) {
    if (connection->descriptor >= 0) close(connection->descriptor);
    connection->descriptor = -1;
}

static void connect_to_server(struct connection *connection) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
    if (descriptor < 0) fail("socket");
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)client.port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    // A refused connection is reported as an event.
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0 && errno != EINPROGRESS)
        fail("connect");
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = connection};
    if (epoll_ctl(client.epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) fail("epoll_ctl");
    connection->descriptor = descriptor;
}

static void write_request(struct connection *connection) {
    const struct target *target = &client.targets[connection->target];
    bool uploads = strcmp(target->method, "POST") == 0;
    int count = snprintf(connection->out, sizeof connection->out,
                         "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Number: %lld\r\n", target->method,
                         target->path, client.port, connection->number);
    if (uploads)
        count += snprintf(connection->out + count, sizeof connection->out - (size_t)count,
                          "Content-Length: %d\r\n\r\n%0*d", upload_bytes, upload_bytes, 0);
    else
        count += snprintf(connection->out + count, sizeof connection->out - (size_t)count, "\r\n");
    connection->out_count = (size_t)count;
    connection->out_sent = 0;
}

static void send_rest(struct connection *connection) {
    while (connection->out_sent < connection->out_count) {
        ssize_t count = send(connection->descriptor, connection->out + connection->out_sent,
                             connection->out_count - connection->out_sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        // read_all reports the failure, after the response that the server may have sent before.
        if (count < 0) return;
        connection->out_sent += (size_t)count;
    }
}

static bool is_over(double time) {
    return stopped || client.sent == client.requests || (client.ends > 0 && time >= client.ends);
}

// Sends the next request, or closes the connection if there is none.
static void start_next(struct connection *connection) {
    double time = now();
    if (is_over(time)) {
        disconnect(connection);
        return;
    }
    connection->number = client.sent++;
    connection->target = client.turns[connection->number % client.turn_count];
    connection->started = time;
    connection->is_busy = true;
    client.busy++;
    response_reset(&connection->response);
    write_request(connection);
    if (connection->descriptor < 0) connect_to_server(connection);
    else send_rest(connection);
}

static void end_request(struct connection *connection, int outcome) {
    tally_count(&client.now, connection->target, outcome, now() - connection->started);
    connection->is_busy = false;
    client.busy--;
}

static int outcome_of(const struct connection *connection) {
    const struct response *response = &connection->response;
    if (response->status != 200) return response->status;
    if (response->received != client.targets[connection->target].bytes) return outcome_wrong;
    return response->number == connection->number ? 200 : outcome_foreign;
}

static void end_broken(struct connection *connection, int outcome) {
    disconnect(connection);
    end_request(connection, outcome);
    // Limits the rate if the server refuses connections.
    if (outcome == outcome_unanswered) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    start_next(connection);
}

static void take(struct connection *connection, const char *bytes, size_t count) {
    struct response *response = &connection->response;
    size_t used = connection->is_busy ? response_feed(response, bytes, count) : 0;
    bool is_done = response->phase == phase_done;
    if (connection->is_busy && response->phase == phase_malformed) {
        end_broken(connection, outcome_malformed);
        return;
    }
    if (used < count) {
        client.now.unasked++;
        disconnect(connection);
    }
    if (!connection->is_busy || !is_done) return;
    if (response->closes || connection->out_sent < connection->out_count) disconnect(connection);
    end_request(connection, outcome_of(connection));
    start_next(connection);
}

static void take_end(struct connection *connection) {
    bool completes = response_end(&connection->response);
    if (!connection->is_busy) {
        disconnect(connection);
    } else if (completes) {
        disconnect(connection);
        end_request(connection, outcome_of(connection));
        start_next(connection);
    } else {
        end_broken(connection, connection->response.has_begun ? outcome_truncated : outcome_unanswered);
    }
}

static void read_all(struct connection *connection) {
    static char part[part_size];
    int descriptor = connection->descriptor;
    // Another descriptor means that the connection was replaced meanwhile.
    while (descriptor >= 0 && connection->descriptor == descriptor) {
        ssize_t count = recv(descriptor, part, sizeof part, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count > 0) {
            take(connection, part, (size_t)count);
            continue;
        }
        take_end(connection);
        return;
    }
}

static void give_up_silent(double time) {
    for (int index = 0; index < client.connection_count; index++) {
        struct connection *connection = &client.connections[index];
        if (connection->is_busy && time - connection->started > client.patience)
            end_broken(connection, outcome_silent);
    }
}

static void print_quarter(double time) {
    printf("{\"at\": %.3f, \"seconds\": %.3f, ", client.quarter_began, time - client.quarter_began);
    tally_print(&client.now, client.names, client.target_count, stdout);
    printf("}\n");
    fflush(stdout);
    tally_add(&client.sum, &client.now);
    memset(&client.now, 0, sizeof client.now);
    client.quarter_began = time;
}

static void run(void) {
    struct epoll_event events[256];
    client.quarter_began = now();
    for (int index = 0; index < client.connection_count; index++) start_next(&client.connections[index]);
    while (client.busy > 0) {
        int count = epoll_wait(client.epoll, events, 256, 50);
        for (int index = 0; index < count; index++) {
            struct connection *connection = events[index].data.ptr;
            if (connection->descriptor < 0) continue;
            if (events[index].events & EPOLLOUT) send_rest(connection);
            if (events[index].events & ~(uint32_t)EPOLLOUT) read_all(connection);
        }
        double time = now();
        if (time - client.quarter_began < quarter) continue;
        give_up_silent(time);
        print_quarter(time);
    }
    print_quarter(now());
}

static _Noreturn void refuse(const char *what, const char *value) {
    fprintf(stderr,
            "countingclient: %s: %s\nusage: countingclient --port PORT --requests N [--connections C] "
            "[--seconds S] [--patience S] --target WEIGHT,METHOD,PATH,BYTES…\n",
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

static void add_target(char *text) {
    char *rest = strdup(text), *name = NULL;
    char *weight = strsep(&rest, ","), *method = strsep(&rest, ","), *path = strsep(&rest, ",");
    if (!rest) refuse("not WEIGHT,METHOD,PATH,BYTES", text);
    if (strlen(path) + strlen(method) > 1024 || strpbrk(path, "\"\\ \r\n") || strpbrk(method, "\"\\ \r\n"))
        refuse("too long, or with characters that a request can't have", text);
    int count = (int)number(weight, 1, most_turns);
    if (client.target_count == most_targets || client.turn_count + count > most_turns)
        refuse("more targets than this client takes", text);
    if (asprintf(&name, "%s %s", method, path) < 0) fail("memory");
    client.names[client.target_count] = name;
    client.targets[client.target_count] = (struct target){method, path, number(rest, 0, 1LL << 40)};
    while (count-- > 0) client.turns[client.turn_count++] = client.target_count;
    client.target_count++;
}

// Spreads each target's turns, always in the same order.
static void mix_turns(void) {
    unsigned state = 1;
    for (int index = client.turn_count - 1; index > 0; index--) {
        state = state * 1664525u + 1013904223u;
        int other = (int)((state >> 8) % (unsigned)(index + 1)), turn = client.turns[index];
        client.turns[index] = client.turns[other];
        client.turns[other] = turn;
    }
}

static void read_options(int argc, char **argv) {
    for (int index = 1; index < argc; index += 2) {
        if (index + 1 == argc) refuse("unknown, or without a value", argv[index]);
        char *value = argv[index + 1];
        if (strcmp(argv[index], "--port") == 0) client.port = (int)number(value, 1, 65535);
        else if (strcmp(argv[index], "--requests") == 0) client.requests = number(value, 1, 1LL << 50);
        else if (strcmp(argv[index], "--connections") == 0)
            client.connection_count = (int)number(value, 1, 10000);
        else if (strcmp(argv[index], "--seconds") == 0) client.ends = now() + (double)number(value, 1, 1000000);
        else if (strcmp(argv[index], "--patience") == 0) client.patience = (double)number(value, 1, 100000);
        else if (strcmp(argv[index], "--target") == 0) add_target(value);
        else refuse("unknown option", argv[index]);
    }
    if (client.port == 0) refuse("missing", "--port");
    if (client.requests == 0) refuse("missing", "--requests");
    if (client.target_count == 0) refuse("missing", "--target");
}

int main(int argc, char **argv) {
    read_options(argc, argv);
    mix_turns();
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGTERM, &action, NULL);
    client.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (client.epoll < 0) fail("epoll_create1");
    client.connections = calloc((size_t)client.connection_count, sizeof *client.connections);
    if (!client.connections) fail("memory");
    for (int index = 0; index < client.connection_count; index++) client.connections[index].descriptor = -1;
    run();
    printf("{\"sent\": %lld, \"ended\": %lld, ", client.sent, tally_ended(&client.sum));
    tally_print(&client.sum, client.names, client.target_count, stdout);
    printf("}\n");
    return tally_ended(&client.sum) == client.sent ? 0 : 1;
}
