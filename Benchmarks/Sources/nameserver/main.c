// A name server on loopback for the names of a benchmark: the address of `h<number>.hosts.test` is
// 127.1.0.0 plus the number. It has no addresses of IPv6, and no other names.
//
//     nameserver ADDRESS
//
// A line "N M" on its stdin moves h<N> to the address of h<M>; it prints the line when that has been done.
//
// It listens on port 53 of ADDRESS, an address of IPv4, because the C library asks no other port. For
// that it needs the right to use such ports. Its first line on stdout says that it listens. It runs
// until its stdin ends, so that it doesn't outlive the script that started it.

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { head_size = 12, longest_message = 512, type_a = 1, longest_number = 7, most_moves = 64 };

// The moves of names, in the order of their lines.
static struct {
    long from, to;
} moves[most_moves];
static int move_count;

static const uint8_t domain[] = "\5hosts\4test";

static _Noreturn void fail(const char *what) {
    perror(what);
    exit(70);
}

// The number in the name at `name`, whose root label must be before `end`; -1: it is another name.
static long number_of(const uint8_t *name, const uint8_t *end) {
    size_t length = name[0];
    if (length < 2 || length > 1 + longest_number || strncasecmp((const char *)name + 1, "h", 1) != 0)
        return -1;
    if ((size_t)(end - name) < 1 + length + sizeof domain) return -1;
    // The null byte at the end of the string is the root label.
    if (strncasecmp((const char *)name + 1 + length, (const char *)domain, sizeof domain) != 0)
        return -1;
    long number = 0;
    for (size_t index = 2; index <= length; index++) {
        if (name[index] < '0' || name[index] > '9') return -1;
        number = number * 10 + (name[index] - '0');
    }
    return number;
}

// The number whose address the name with that number has.
static long place_of(long number) {
    for (int index = 0; index < move_count; index++)
        if (moves[index].from == number) return moves[index].to;
    return number;
}

static void move_name(long from, long to) {
    int index = 0;
    while (index < move_count && moves[index].from != from) index++;
    if (index == most_moves) {
        fprintf(stderr, "nameserver: more than %d names moved\n", most_moves);
        return;
    }
    moves[index].from = from;
    moves[index].to = to;
    if (index == move_count) move_count++;
}

// False: stdin has ended.
static bool obey_lines(void) {
    static char line[64];
    static size_t count;
    char byte;
    ssize_t read_count = read(STDIN_FILENO, &byte, 1);
    if (read_count < 0) return errno == EINTR || errno == EAGAIN;
    if (read_count == 0) return false;
    if (byte != '\n') {
        if (count < sizeof line - 1) line[count++] = byte;
        return true;
    }
    line[count] = 0;
    count = 0;
    long from = 0, to = 0;
    if (sscanf(line, "%ld %ld", &from, &to) == 2) move_name(from, to);
    printf("%s\n", line);
    fflush(stdout);
    return true;
}

// Where the question at `name` ends; NULL: it isn't complete, or compressed.
static const uint8_t *end_of_question(const uint8_t *name, const uint8_t *end) {
    while (name < end && *name != 0) {
        if (*name > 63) return NULL;
        name += 1 + *name;
    }
    return end - name >= 5 ? name + 5 : NULL;
}

// Makes the query an answer. Its length; 0: there is none.
static size_t answer(uint8_t *message, size_t count) {
    if (count < head_size || message[2] & 0x80 || message[4] != 0 || message[5] != 1) return 0;
    const uint8_t *name = message + head_size;
    const uint8_t *end = end_of_question(name, message + count);
    if (!end) return 0;
    long number = number_of(name, end);
    bool has_address = number >= 0 && end[-4] == 0 && end[-3] == type_a;
    message[2] = 0x84 | (message[2] & 1); // an authoritative answer; recursion as desired
    message[3] = 0x80 | (number < 0 ? 3 : 0);
    message[6] = 0;
    message[7] = has_address;
    memset(message + 8, 0, 4); // without the additional records of the query
    size_t size = (size_t)(end - message);
    if (!has_address) return size;
    uint32_t address = htonl(0x7F010000u + (uint32_t)place_of(number));
    static const uint8_t record[] = {0xC0, head_size, 0, type_a, 0, 1, 0, 0, 1, 0, 0, 4};
    memcpy(message + size, record, sizeof record);
    memcpy(message + size + sizeof record, &address, sizeof address);
    return size + sizeof record + sizeof address;
}

static int listen_on(const char *text) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(53)};
    if (inet_pton(AF_INET, text, &address.sin_addr) != 1) {
        fprintf(stderr, "nameserver: no address of IPv4: %s\n", text);
        exit(64);
    }
    int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int size = 4 << 20; // A burst of queries waits instead of being lost.
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
    return descriptor;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: nameserver ADDRESS\n");
        return 64;
    }
    int descriptor = listen_on(argv[1]);
    printf("53\n");
    fflush(stdout);
    struct pollfd watched[] = {{.fd = descriptor, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    for (;;) {
        if (poll(watched, 2, -1) < 0 && errno != EINTR) fail("poll");
        if (watched[1].revents && !obey_lines()) return 0;
        if (!(watched[0].revents & POLLIN)) continue;
        // An answer is at most 16 bytes longer than its query.
        uint8_t message[longest_message + 16];
        struct sockaddr_in peer;
        socklen_t size = sizeof peer;
        ssize_t count = recvfrom(descriptor, message, longest_message, MSG_DONTWAIT,
                                 (struct sockaddr *)&peer, &size);
        if (count <= 0) continue;
        size_t length = answer(message, (size_t)count);
        if (length > 0) sendto(descriptor, message, length, 0, (struct sockaddr *)&peer, size);
    }
}
