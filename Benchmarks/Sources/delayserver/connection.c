#include "connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { scratch_size = 256 * 1024, longest_head = 64 * 1024 };

// One thread: all connections read into the same bytes, and answer from the same.
static char scratch[scratch_size];
static char answer_bytes[64 * 1024];

struct connection *connection_make(int descriptor) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection) connection->descriptor = descriptor;
    return connection;
}

void connection_free(struct connection *connection) {
    close(connection->descriptor);
    free(connection->kept);
    free(connection);
}

// Answers 0 for a line that is no chunk size, too: the body ends there.
static uint64_t chunk_size(const char *line) { return strtoull(line, NULL, 16); }

static const char *field(const char *head, const char *name) {
    size_t count = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, count) == 0 && line[2 + count] == ':')
            return line + 3 + count + strspn(line + 3 + count, " \t");
    return NULL;
}

// `head` ends with a null byte in place of its last line feed.
static void begin_request(struct connection *connection, const char *head) {
    const char *length = field(head, "content-length");
    const char *coding = field(head, "transfer-encoding");
    const char *close_wish = field(head, "connection");
    connection->closes = (close_wish && strncasecmp(close_wish, "close", 5) == 0) ||
                         strstr(head, " HTTP/1.0\r\n") != NULL;
    connection->wants_stats = strncmp(head, "GET /stats ", 11) == 0;
    connection->left = length ? strtoull(length, NULL, 10) : 0;
    connection->body_bytes = coding ? 0 : connection->left;
    connection->state = coding                 ? READING_CHUNK_SIZE
                        : connection->left > 0 ? READING_BODY
                                               : WAITING;
    if (field(head, "expect") && connection->state != WAITING) {
        static const char interim[] = "HTTP/1.1 100 Continue\r\n\r\n";
        ssize_t sent = send(connection->descriptor, interim, sizeof interim - 1, MSG_NOSIGNAL);
        (void)sent; // If it fails, the client sends its body after a timeout.
    }
}

// The bytes of a head or a line that are complete, its end included; 0: more have to come.
static size_t complete_part(const struct connection *connection, const char *bytes, size_t count) {
    const char *mark = connection->state == READING_HEAD ? "\r\n\r\n" : "\r\n";
    const char *end = memmem(bytes, count, mark, strlen(mark));
    return end ? (size_t)(end - bytes) + strlen(mark) : 0;
}

static void take_line(struct connection *connection, char *line, size_t count) {
    line[count - 1] = 0;
    switch (connection->state) {
    case READING_HEAD: begin_request(connection, line); break;
    case READING_CHUNK_SIZE:
        connection->left = chunk_size(line);
        connection->body_bytes += connection->left;
        // The line end behind a chunk is swallowed with it.
        if (connection->left > 0) connection->left += 2;
        connection->state = connection->left > 0 ? READING_CHUNK : READING_TRAILERS;
        break;
    case READING_TRAILERS:
        if (count == 2) connection->state = WAITING;
        break;
    default: break;
    }
}

// Takes what it understands of the bytes; how many those were.
static size_t take(struct connection *connection, char *bytes, size_t count) {
    size_t taken = 0;
    while (taken < count && connection->state != WAITING && connection->state != ANSWERING) {
        if (connection->state == READING_BODY || connection->state == READING_CHUNK) {
            uint64_t part = count - taken;
            if (part > connection->left) part = connection->left;
            taken += part;
            connection->left -= part;
            if (connection->left > 0) break;
            connection->state = connection->state == READING_BODY ? WAITING : READING_CHUNK_SIZE;
            continue;
        }
        size_t part = complete_part(connection, bytes + taken, count - taken);
        if (part == 0) break;
        take_line(connection, bytes + taken, part);
        taken += part;
    }
    return taken;
}

static bool keep(struct connection *connection, const char *bytes, size_t count) {
    free(connection->kept);
    connection->kept = NULL;
    connection->kept_count = count;
    if (count == 0) return true;
    connection->kept = count <= longest_head ? malloc(count) : NULL;
    if (connection->kept) memcpy(connection->kept, bytes, count);
    return connection->kept != NULL;
}

enum connection_need connection_read(struct connection *connection) {
    enum connection_state before = connection->state;
    for (;;) {
        size_t kept = connection->kept_count;
        if (kept > 0) memcpy(scratch, connection->kept, kept);
        ssize_t count = recv(connection->descriptor, scratch + kept, scratch_size - kept, 0);
        if (count == 0) return NEEDS_CLOSE;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno != EAGAIN) return NEEDS_CLOSE;
        size_t total = kept + (count > 0 ? (size_t)count : 0);
        size_t taken = take(connection, scratch, total);
        if (!keep(connection, scratch + taken, total - taken)) return NEEDS_CLOSE;
        // A short read has emptied the socket; epoll reports later bytes again.
        if (count < 0 || total < scratch_size) break;
    }
    return connection->state == WAITING && before != WAITING ? NEEDS_DELAY : NEEDS_NOTHING;
}

enum connection_need connection_answer(struct connection *connection, uint64_t body_bytes,
                                       const char *text) {
    size_t text_count = text ? strlen(text) : 0;
    if (!answer_bytes[0]) memset(answer_bytes, 'x', sizeof answer_bytes);
    connection->left = text ? 0 : body_bytes;
    int count = snprintf(connection->head, sizeof connection->head,
                         "HTTP/1.1 200 OK\r\ncontent-length: %llu\r\n%s\r\n%s",
                         (unsigned long long)(text ? text_count : body_bytes),
                         connection->closes ? "connection: close\r\n" : "", text ? text : "");
    connection->head_count = (size_t)count;
    connection->head_sent = 0;
    connection->state = ANSWERING;
    return connection_write(connection);
}

enum connection_need connection_write(struct connection *connection) {
    if (connection->state != ANSWERING) return NEEDS_NOTHING;
    while (connection->head_sent < connection->head_count || connection->left > 0) {
        size_t head = connection->head_count - connection->head_sent;
        size_t body = connection->left < sizeof answer_bytes ? (size_t)connection->left
                                                             : sizeof answer_bytes;
        struct iovec parts[] = {{connection->head + connection->head_sent, head},
                                {answer_bytes, body}};
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
        ssize_t sent = sendmsg(connection->descriptor, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return errno == EAGAIN ? NEEDS_NOTHING : NEEDS_CLOSE;
        size_t of_head = (size_t)sent < head ? (size_t)sent : head;
        connection->head_sent += of_head;
        connection->left -= (size_t)sent - of_head;
    }
    if (connection->closes) return NEEDS_CLOSE;
    connection->state = READING_HEAD;
    // A request that came early may lie in the kept bytes already.
    return connection->kept_count > 0 ? connection_read(connection) : NEEDS_NOTHING;
}
