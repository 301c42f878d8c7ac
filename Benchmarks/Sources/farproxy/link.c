#include "link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { part_size = 64 * 1024, most_held = 8 * 1024 * 1024 };

// Part of what an end sends, on its way to the other one.
struct chunk {
    struct chunk *next;
    struct end *to;
    double due;
    size_t count, sent; // a count of 0: the end of the stream
    bool drops;         // the connections are reset after it
    char bytes[];
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

void far_open(struct far *far, double delay, long long drop_every) {
    *far = (struct far){.delay = delay, .drop_every = drop_every};
    far->last_delayed = &far->delayed;
}

static void open_end(struct end *end, struct link *link, struct end *other, int descriptor) {
    *end = (struct end){.link = link, .other = other, .descriptor = descriptor};
    end->last_ready = &end->ready;
}

struct link *link_make(int client, int server) {
    struct link *link = calloc(1, sizeof *link);
    if (!link) return NULL;
    open_end(&link->client, link, &link->server, client);
    open_end(&link->server, link, &link->client, server);
    link->server.is_server = true;
    return link;
}

static bool is_closed(const struct link *link) { return link->client.descriptor < 0; }

static void close_end(struct end *end, bool resets) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    if (resets) setsockopt(end->descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    close(end->descriptor);
    end->descriptor = -1;
    for (struct chunk *chunk; (chunk = end->ready);) {
        end->ready = chunk->next;
        free(chunk);
    }
}

// It is freed once none of its chunks wait for the delay.
static void close_link(struct far *far, struct link *link, bool resets) {
    if (is_closed(link)) return;
    close_end(&link->client, resets);
    close_end(&link->server, resets);
    if (link->delayed > 0) return;
    link->next_closed = far->closed;
    far->closed = link;
}

void end_fail(struct far *far, struct end *end) { close_link(far, end->link, true); }

static void delay_chunk(struct far *far, struct end *from, const char *bytes, size_t count) {
    bool drops = count > 0 && from->is_server && far->drop_every > 0 &&
                 ++far->server_parts % far->drop_every == 0;
    // Half of it arrives, so that the client has part of a response; or nothing of it.
    if (drops) count = far->drops_all ? 0 : (count + 1) / 2;
    struct chunk *chunk = malloc(sizeof *chunk + count);
    if (!chunk) {
        perror("farproxy: memory for a chunk");
        exit(71);
    }
    *chunk = (struct chunk){.to = from->other, .due = now() + far->delay, .count = count, .drops = drops};
    memcpy(chunk->bytes, bytes, count);
    from->held += count;
    from->link->delayed++;
    *far->last_delayed = chunk;
    far->last_delayed = &chunk->next;
}

void end_read(struct far *far, struct end *end) {
    static char part[part_size];
    while (!is_closed(end->link) && !end->has_ended && end->held < most_held) {
        ssize_t count = recv(end->descriptor, part, sizeof part, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count < 0) {
            end_fail(far, end);
            return;
        }
        end->has_ended = count == 0;
        delay_chunk(far, end, part, (size_t)count);
    }
}

// False: the socket takes no more for now.
static bool send_chunk(struct far *far, struct end *end, struct chunk *chunk) {
    while (chunk->sent < chunk->count) {
        ssize_t count = send(end->descriptor, chunk->bytes + chunk->sent, chunk->count - chunk->sent,
                             MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return false;
        if (count < 0) {
            end_fail(far, end);
            return false;
        }
        chunk->sent += (size_t)count;
    }
    return true;
}

void end_write(struct far *far, struct end *end) {
    while (!is_closed(end->link) && end->ready) {
        struct chunk *chunk = end->ready;
        if (!send_chunk(far, end, chunk)) return;
        size_t count = chunk->count;
        bool drops = chunk->drops;
        end->ready = chunk->next;
        if (!end->ready) end->last_ready = &end->ready;
        free(chunk);
        if (drops) {
            far->dropped++;
            close_link(far, end->link, true);
        } else if (count == 0) {
            end->is_shut = true;
            shutdown(end->descriptor, SHUT_WR);
            if (end->other->is_shut) close_link(far, end->link, false);
        } else {
            bool was_full = end->other->held >= most_held;
            end->other->held -= count;
            // No further event reports what is left to read.
            if (was_full) end_read(far, end->other);
        }
    }
}

static void pass_on(struct far *far, struct chunk *chunk) {
    struct end *end = chunk->to;
    end->link->delayed--;
    if (is_closed(end->link)) {
        free(chunk);
        if (end->link->delayed > 0) return;
        end->link->next_closed = far->closed;
        far->closed = end->link;
        return;
    }
    chunk->next = NULL;
    *end->last_ready = chunk;
    end->last_ready = &chunk->next;
    end_write(far, end);
}

int far_pass_on(struct far *far) {
    double time = now();
    while (far->delayed && far->delayed->due <= time) {
        struct chunk *chunk = far->delayed;
        far->delayed = chunk->next;
        if (!far->delayed) far->last_delayed = &far->delayed;
        pass_on(far, chunk);
    }
    if (!far->delayed) return -1;
    double left = far->delayed->due - now();
    return left <= 0 ? 0 : (int)left + 1;
}

void far_free_closed(struct far *far) {
    for (struct link *link; (link = far->closed);) {
        far->closed = link->next_closed;
        free(link);
    }
}
