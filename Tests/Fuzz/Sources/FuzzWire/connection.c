#include "http2.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "websocket.h"

struct connection *connection_make(int descriptor) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection) connection->descriptor = descriptor;
    return connection;
}

void connection_free(struct connection *connection) {
    close(connection->descriptor);
    bytes_free(&connection->input);
    script_free(&connection->script);
    free(connection);
}

static struct {
    uint64_t seed;
    uint32_t exchange;
} settled[1 << 20];

static size_t settled_place(uint64_t seed, uint32_t exchange) { return fuzz_mix(seed, exchange) & ((1 << 20) - 1); }

void settled_add(uint64_t seed, uint32_t exchange) {
    size_t place = settled_place(seed, exchange);
    settled[place].seed = seed;
    settled[place].exchange = exchange + 1;
}

bool settled_has(uint64_t seed, uint32_t exchange) {
    size_t place = settled_place(seed, exchange);
    return settled[place].seed == seed && settled[place].exchange == exchange + 1;
}

static void settled_remove(uint64_t seed, uint32_t exchange) {
    if (settled_has(seed, exchange)) settled[settled_place(seed, exchange)].exchange = 0;
}

static const char *field(const char *head, const char *name) {
    size_t count = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, count) == 0 && line[2 + count] == ':')
            return line + 3 + count + strspn(line + 3 + count, " \t");
    return NULL;
}

static void read_authority(struct connection *connection, const char *head) {
    const char *host = field(head, "host");
    size_t count = host ? strcspn(host, "\r") : 0;
    if (count >= sizeof connection->authority) count = 0;
    memcpy(connection->authority, host ? host : "", count);
    connection->authority[count] = 0;
    connection->request.authority = connection->authority;
}

// Answers the request in `head`, which ends with a null byte.
static enum need answer(struct connection *connection, const char *head) {
    fuzz_request *request = &connection->request;
    unsigned long long seed;
    char kind;
    const char *path = strchr(head, ' ');
    if (!path || sscanf(path, " /%c/%16llx/%u/%u", &kind, &seed, &request->exchange, &request->hop) != 4)
        return NEEDS_DROP;
    request->seed = seed;
    request->kind = kind == fuzz_letter(FUZZ_RANGED)    ? FUZZ_RANGED
                    : kind == fuzz_letter(FUZZ_CROWDED) ? FUZZ_CROWDED
                    : kind == fuzz_letter(FUZZ_WEBSOCKET) ? FUZZ_WEBSOCKET
                                                        : FUZZ_MUTATED;
    const char *range = field(head, "range");
    request->range_start = range && strncmp(range, "bytes=", 6) == 0 ? strtoll(range + 6, NULL, 10) : -1;
    request->method = strncmp(head, "HEAD ", 5) == 0   ? FUZZ_HEAD
                      : strncmp(head, "POST ", 5) == 0 ? FUZZ_POST
                                                       : FUZZ_GET;
    read_authority(connection, head);
    if (kind == 's') return NEEDS_SETTLING;
    settled_remove(request->seed, request->exchange);
    script_free(&connection->script);
    if (request->kind == FUZZ_WEBSOCKET) {
        const char *value = field(head, "sec-websocket-key");
        char key[64] = "";
        snprintf(key, sizeof key, "%.*s", value ? (int)strcspn(value, " \r") : 0, value ? value : "");
        websocket_make(request, key, &connection->script);
    } else if (request->kind == FUZZ_RANGED && !(field(head, "authorization") && field(head, "x-own"))) {
        // The client sets both fields, and must send them again when it resumes a download.
        connection->script = (struct script){.ending = CLOSES};
        bytes_text(&connection->script.bytes, "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nREFUSED");
    } else {
        script_make(request, &connection->script);
    }
    connection->sent = 0;
    connection->is_answering = true;
    connection->has_paused = false;
    return connection_send(connection);
}

enum need connection_continue(struct connection *connection) {
    fuzz_bytes *input = &connection->input;
    bool is_certain = true;
    if (connection->is_http2 || http2_begins(input, &is_certain))
        return is_certain ? http2_continue(connection) : NEEDS_NOTHING;
    uint8_t *end = input->count ? memmem(input->data, input->count, "\r\n\r\n", 4) : NULL;
    if (!end) return input->count > 65536 ? NEEDS_DROP : NEEDS_NOTHING;
    end[2] = 0;
    const char *head = (const char *)input->data;
    size_t count = (size_t)(end - input->data) + 4;
    const char *length = field(head, "content-length");
    size_t body = length ? strtoul(length, NULL, 10) : 0;
    if (input->count < count + body) {
        end[2] = '\r';
        return NEEDS_NOTHING;
    }
    enum need need = answer(connection, head);
    bytes_replace(input, 0, count + body, NULL, 0);
    return need;
}

enum need connection_receive(struct connection *connection) {
    char part[16 * 1024];
    for (;;) {
        ssize_t count = recv(connection->descriptor, part, sizeof part, 0);
        if (count == 0) return NEEDS_DROP;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno != EAGAIN) return NEEDS_DROP;
        // Bytes that arrive on a WebSocket are discarded.
        bool is_read = !(connection->is_answering && connection->script.ending == HALF_CLOSES);
        if (count > 0 && is_read) bytes_add(&connection->input, part, (size_t)count);
        if (count < (ssize_t)sizeof part) break;
    }
    bool is_busy = connection->is_answering || connection->list;
    return is_busy ? NEEDS_NOTHING : connection_continue(connection);
}

static enum need finish(struct connection *connection) {
    switch (connection->script.ending) {
    case HALF_CLOSES: shutdown(connection->descriptor, SHUT_WR); return NEEDS_NOTHING;
    case STALLS: return NEEDS_NOTHING;
    case KEEPS_OPEN:
        if (!connection->is_http2) return NEEDS_NEXT;
        connection->script.bytes.count = connection->sent = 0;
        return NEEDS_NOTHING;
    case CLOSES: return NEEDS_DROP;
    case RESETS: {
        struct linger linger = {.l_onoff = 1};
        setsockopt(connection->descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
        return NEEDS_DROP;
    }
    }
    return NEEDS_DROP;
}

// Whether the next request has arrived. To its client, late bytes would be the response.
static bool has_next_request(const struct connection *connection) {
    char byte;
    return connection->input.count > 0 || recv(connection->descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

enum need connection_send(struct connection *connection) {
    struct script *script = &connection->script;
    if (!connection->is_answering && !connection->is_http2) return NEEDS_NOTHING;
    connection->needs_room = false;
    while (connection->sent < script->bytes.count) {
        if (script->is_rest_late && connection->sent == script->message_end) {
            if (!connection->has_paused) {
                connection->has_paused = true;
                return NEEDS_PAUSE;
            }
            // It may still cross with a request that arrives between this check and the bytes.
            if (has_next_request(connection)) {
                script->ending = KEEPS_OPEN;
                break;
            }
        }
        size_t part = script_segment(script, connection->sent);
        ssize_t count = send(connection->descriptor, script->bytes.data + connection->sent, part, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno != EAGAIN) return NEEDS_DROP;
        connection->needs_room = count < 0;
        if (count < 0) return NEEDS_NOTHING;
        connection->sent += (size_t)count;
    }
    return finish(connection);
}

enum need connection_answer_settled(struct connection *connection) {
    static const char answer[] = "HTTP/1.1 204 Settled\r\n\r\n";
    ssize_t sent = send(connection->descriptor, answer, sizeof answer - 1, MSG_NOSIGNAL);
    return sent == sizeof answer - 1 ? NEEDS_NEXT : NEEDS_DROP;
}
