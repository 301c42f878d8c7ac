#include "http2.h"
#include "http2frames.h"

#include <stdlib.h>
#include <string.h>

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
// Each of these characters takes ten bits or more in the Huffman code for names and values (RFC
// 7541, appendix B): a path of them is sent uncompressed, and found without a decoder.
static const char digits[] = "!()'+$@~";
static const char path_start[] = "/~@";
enum { seed_digits = 22, exchange_digits = 2 };

void fuzz_http2_path(const fuzz_request *request, char *path, size_t capacity) {
    if (capacity < sizeof path_start + seed_digits + exchange_digits) abort();
    memcpy(path, path_start, sizeof path_start);
    size_t count = sizeof path_start - 1;
    for (int place = seed_digits - 1; place >= 0; place--) path[count++] = digits[request->seed >> (3 * place) & 7];
    for (int place = exchange_digits - 1; place >= 0; place--)
        path[count++] = digits[request->exchange >> (3 * place) & 7];
    path[count] = 0;
}

static bool read_path(const uint8_t *bytes, size_t count, fuzz_request *request) {
    const uint8_t *start = memmem(bytes, count, path_start, sizeof path_start - 1);
    if (!start || (size_t)(bytes + count - start) < sizeof path_start - 1 + seed_digits + exchange_digits) return false;
    start += sizeof path_start - 1;
    *request = (fuzz_request){.kind = FUZZ_HTTP2, .range_start = -1};
    for (int place = 0; place < seed_digits + exchange_digits; place++) {
        const char *digit = start[place] ? strchr(digits, start[place]) : NULL;
        if (!digit) return false;
        uint64_t value = (uint64_t)(digit - digits);
        if (place < seed_digits)
            request->seed = request->seed << 3 | value;
        else
            request->exchange = request->exchange << 3 | (uint32_t)value;
    }
    return true;
}

bool http2_begins(const fuzz_bytes *input, bool *is_certain) {
    size_t count = input->count < sizeof preface - 1 ? input->count : sizeof preface - 1;
    bool begins = count > 0 && memcmp(input->data, preface, count) == 0;
    *is_certain = !begins || count == sizeof preface - 1;
    return begins;
}

// Appends the answers to one frame.
static void take_frame(struct connection *connection, const uint8_t *frame, size_t count) {
    fuzz_bytes *output = &connection->script.bytes;
    uint32_t stream = ((uint32_t)frame[5] & 0x7f) << 24 | (uint32_t)frame[6] << 16 | (uint32_t)frame[7] << 8 | frame[8];
    bool is_ack = frame[4] & ACK;
    if (frame[3] == SETTINGS && !is_ack) http2_add(output, SETTINGS, ACK, 0, NULL, 0);
    if (frame[3] == PING && !is_ack) http2_add(output, PING, ACK, 0, frame + frame_head, count - frame_head);
    fuzz_request request;
    if (frame[3] != HEADERS || !read_path(frame + frame_head, count - frame_head, &request)) return;
    struct script answer;
    http2_make(&request, stream, &answer);
    bytes_add(output, answer.bytes.data, answer.bytes.count);
    connection->script.cutting = answer.cutting;
    connection->script.cuts = answer.cuts;
    connection->request = request;
    connection->answers++;
    if (answer.ending != KEEPS_OPEN) connection->script.ending = answer.ending;
    script_free(&answer);
}

enum need http2_continue(struct connection *connection) {
    fuzz_bytes *input = &connection->input;
    size_t place = 0;
    if (!connection->is_http2) {
        connection->is_http2 = true;
        place = sizeof preface - 1;
        script_free(&connection->script);
        connection->script = (struct script){.ending = KEEPS_OPEN};
        connection->sent = 0;
        http2_add(&connection->script.bytes, SETTINGS, 0, 0, NULL, 0);
    }
    while (input->count - place >= frame_head && connection->script.ending == KEEPS_OPEN) {
        const uint8_t *frame = input->data + place;
        size_t count = frame_head + ((size_t)frame[0] << 16 | (size_t)frame[1] << 8 | frame[2]);
        if (input->count - place < count) break;
        take_frame(connection, frame, count);
        place += count;
    }
    bytes_replace(input, 0, place, NULL, 0);
    connection->script.message_end = connection->script.bytes.count;
    return connection_send(connection);
}
