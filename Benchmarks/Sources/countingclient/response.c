#include "response.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void response_reset(struct response *response) {
    // The bytes of the head needn't be cleared.
    memset(response, 0, offsetof(struct response, head));
    response->number = -1;
}

static size_t least(size_t left, long long right) {
    return (unsigned long long)right < left ? (size_t)right : left;
}

// The value of the field, which ends with CR LF; NULL: the head has none of that name.
static const char *field(const struct response *response, const char *name) {
    size_t length = strlen(name);
    const char *line = strstr(response->head, "\r\n");
    for (; line && line[2] != '\r'; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, length) != 0 || line[2 + length] != ':') continue;
        const char *value = line + 3 + length;
        return value + strspn(value, " \t");
    }
    return NULL;
}

static bool is_word(const char *value, const char *word) {
    return value && strncasecmp(value, word, strlen(word)) == 0;
}

static void read_head(struct response *response) {
    response->head[response->head_count] = 0;
    if (strncmp(response->head, "HTTP/1.", 7) != 0 || response->head_count < 13) {
        response->phase = phase_malformed;
        return;
    }
    response->status = atoi(response->head + 9);
    if (response->status < 100 || response->status > 599) {
        response->phase = phase_malformed;
        return;
    }
    if (response->status < 200) {
        // An interim response: the final one follows.
        response->head_count = 0;
        return;
    }
    response->closes = is_word(field(response, "Connection"), "close");
    const char *number = field(response, "X-Number"), *length = field(response, "Content-Length");
    if (number) response->number = atoll(number);
    if (response->status == 204 || response->status == 304) {
        response->phase = phase_done;
    } else if (is_word(field(response, "Transfer-Encoding"), "chunked")) {
        response->phase = phase_chunk_size;
    } else if (length) {
        response->left = atoll(length);
        response->phase = response->left > 0 ? phase_sized : phase_done;
    } else {
        response->phase = phase_until_end;
    }
}

static void feed_head(struct response *response, char byte) {
    if (response->head_count == longest_head - 1) {
        response->phase = phase_malformed;
        return;
    }
    response->head[response->head_count++] = byte;
    if (byte == '\n' && response->head_count >= 4 &&
        memcmp(response->head + response->head_count - 4, "\r\n\r\n", 4) == 0)
        read_head(response);
}

static void feed_chunk_size(struct response *response, char byte) {
    int digit = byte >= '0' && byte <= '9'   ? byte - '0'
                : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
                : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                             : -1;
    if (digit >= 0 && response->left < 1LL << 40) {
        response->left = response->left * 16 + digit;
        response->line++;
    } else if (byte == '\n' && response->line > 0) {
        response->line = 0;
        response->phase = response->left > 0 ? phase_chunk : phase_trailer;
    } else if (byte != '\r' || response->line == 0) {
        response->phase = phase_malformed;
    }
}

static void feed_chunk_end(struct response *response, char byte) {
    if (byte == '\n') response->phase = phase_chunk_size;
    else if (byte != '\r') response->phase = phase_malformed;
}

static void feed_trailer(struct response *response, char byte) {
    if (byte == '\n' && response->line == 0) response->phase = phase_done;
    else if (byte == '\n') response->line = 0;
    else if (byte != '\r') response->line++;
}

static size_t feed_body(struct response *response, size_t count) {
    size_t taken = response->phase == phase_until_end ? count : least(count, response->left);
    response->received += (long long)taken;
    if (response->phase == phase_until_end) return taken;
    response->left -= (long long)taken;
    if (response->left == 0)
        response->phase = response->phase == phase_sized ? phase_done : phase_chunk_end;
    return taken;
}

size_t response_feed(struct response *response, const char *bytes, size_t count) {
    size_t used = 0;
    response->has_begun |= count > 0;
    while (used < count) {
        switch (response->phase) {
        case phase_done:
        case phase_malformed: return used;
        case phase_head: feed_head(response, bytes[used++]); break;
        case phase_chunk_size: feed_chunk_size(response, bytes[used++]); break;
        case phase_chunk_end: feed_chunk_end(response, bytes[used++]); break;
        case phase_trailer: feed_trailer(response, bytes[used++]); break;
        case phase_sized:
        case phase_chunk:
        case phase_until_end: used += feed_body(response, count - used); break;
        }
    }
    return used;
}

bool response_end(struct response *response) {
    if (response->phase != phase_until_end) return false;
    response->phase = phase_done;
    response->closes = true;
    return true;
}
