#include "websocket.h"

#include <stdio.h>
#include <string.h>

#include "sha1.h"

enum opcode { CONTINUATION, TEXT, BINARY, CLOSE = 8, PING, PONG };
enum { FIN = 0x80 };

struct talk {
    fuzz_random random;
    struct script *script;
    fuzz_verdict verdict;
    const char *reason;
};

static void add_frame(fuzz_bytes *bytes, uint8_t first, const void *content, size_t count) {
    uint8_t head[10] = {first, (uint8_t)(count < 126 ? count : count < 65536 ? 126 : 127)};
    size_t head_count = 2;
    if (count >= 126) {
        head_count = count < 65536 ? 4 : 10;
        for (size_t place = 2; place < head_count; place++)
            head[place] = (uint8_t)((uint64_t)count >> 8 * (head_count - 1 - place));
    }
    bytes_add(bytes, head, head_count);
    bytes_add(bytes, content, count);
}

static void add_control(struct talk *talk) {
    if (!fuzz_percent(&talk->random, 15)) return;
    add_frame(&talk->script->bytes, FIN | (fuzz_percent(&talk->random, 50) ? PING : PONG), "control",
              fuzz_below(&talk->random, 8));
}

// Adds a message in one or several frames; `is_expected`: the client must deliver it.
static void add_message(struct talk *talk, bool is_expected) {
    fuzz_random *random = &talk->random;
    bool is_text = fuzz_percent(random, 50);
    fuzz_bytes content = {0};
    uint32_t choice = fuzz_below(random, 100);
    uint32_t count = choice < 10 ? 0 : choice < 90 ? fuzz_below(random, 200) : choice < 99 ? fuzz_below(random, 5000) : 66000;
    while (content.count < count) {
        if (is_text) {
            bytes_text(&content, PICK(random, "a", "bc", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\n", "\x01"));
        } else {
            uint64_t part = fuzz_next(random);
            bytes_add(&content, &part, sizeof part);
        }
    }
    if (is_expected) {
        uint32_t size = (uint32_t)content.count;
        uint8_t head[] = {is_text ? 't' : 'b', (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), (uint8_t)(size >> 24)};
        bytes_add(&talk->script->plain, head, sizeof head);
        bytes_add(&talk->script->plain, content.data, content.count);
    }
    size_t place = 0;
    bool is_first = true, is_last, is_split = fuzz_percent(random, 30);
    do {
        // May split a UTF-8 character.
        size_t part = is_split ? fuzz_below(random, (uint32_t)content.count / 2 + 2) : content.count;
        if (part > content.count - place) part = content.count - place;
        is_last = place + part == content.count && !(is_split && fuzz_percent(random, 30));
        uint8_t kind = is_first ? is_text ? TEXT : BINARY : CONTINUATION;
        add_frame(&talk->script->bytes, (is_last ? FIN : 0) | kind, content.data + place, part);
        place += part;
        is_first = false;
        if (!is_last) add_control(talk);
    } while (!is_last);
    bytes_free(&content);
}

static void spoil(struct talk *talk, fuzz_verdict verdict, const char *reason) {
    if (talk->verdict >= verdict) return;
    talk->verdict = verdict;
    talk->reason = reason;
}

// Violates the protocol in one of many ways.
static void add_fault(struct talk *talk) {
    fuzz_random *random = &talk->random;
    fuzz_bytes *bytes = &talk->script->bytes;
    spoil(talk, FUZZ_MUST_FAIL, "a violation of the protocol");
    switch (fuzz_below(random, 16)) {
    case 0: add_frame(bytes, FIN | TEXT | (uint8_t)(0x10 << fuzz_below(random, 3)), "STRAY", 5); break;
    case 1: add_frame(bytes, FIN | (uint8_t)(3 + fuzz_below(random, 5)), "STRAY", 5); break;
    case 2: add_frame(bytes, FIN | (uint8_t)(11 + fuzz_below(random, 5)), "STRAY", 5); break;
    case 3: bytes_add(bytes, "\x81\x85" "mask" "STRAY", 11); break;
    case 4: add_frame(bytes, PING, "STRAY", 5); break;
    case 5: {
        char content[200] = {0};
        add_frame(bytes, FIN | (fuzz_percent(random, 50) ? PING : CLOSE), content, 126 + fuzz_below(random, 70));
        break;
    }
    case 6: add_frame(bytes, FIN | CONTINUATION, "STRAY", 5); break;
    case 7:
        add_frame(bytes, TEXT, "part", 4);
        add_frame(bytes, FIN | TEXT, "STRAY", 5);
        break;
    case 8: {
        const char *text = PICK(random, "\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\x80", "\xf8\x88\x80\x80\x80");
        add_frame(bytes, FIN | TEXT, text, strlen(text));
        break;
    }
    case 9: add_frame(bytes, FIN | CLOSE, "x", 1); break;
    case 10: {
        uint32_t code = (const uint32_t[]){0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65535}[fuzz_below(random, 9)];
        char content[2] = {(char)(code >> 8), (char)code};
        add_frame(bytes, FIN | CLOSE, content, 2);
        // The reserved codes change over time.
        spoil(talk, FUZZ_ANYTHING, "an odd closing code");
        break;
    }
    case 11: add_frame(bytes, FIN | CLOSE, "\x03\xe8\xff", 3); break;
    case 12: bytes_add(bytes, PICK(random, "\x82\x7f\x7f\xff\xff\xff\xff\xff\xff\xff", "\x82\x7f\x80\xff\xff\xff\xff\xff\xff\xff",
                                   "\x02\x7f\x7f\xff\xff\xff\xff\xff\xff\xfe"), 10); break;
    case 13:
        if (fuzz_percent(random, 50))
            bytes_add(bytes, "\x82\x7e\0\5STRAY", 9);
        else
            bytes_add(bytes, "\x82\x7f\0\0\0\0\0\0\0\5STRAY", 15);
        spoil(talk, FUZZ_ANYTHING, "a length in too many bytes");
        break;
    case 14: {
        size_t before = bytes->count;
        add_message(talk, false);
        bytes->count -= 1 + fuzz_below(random, (uint32_t)(bytes->count - before));
        spoil(talk, FUZZ_ANYTHING, "an end within a message");
        return;
    }
    default:
        // The connection ends without a close frame.
        return;
    }
    // A client must not deliver anything after a violation.
    if (fuzz_percent(random, 50)) add_frame(bytes, FIN | TEXT, "STRAY", 5);
}

static void add_handshake(struct talk *talk, const char *key) {
    fuzz_random *random = &talk->random;
    fuzz_bytes *bytes = &talk->script->bytes;
    char text[128], accept[29];
    snprintf(text, sizeof text, "%.60s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    sha1_base64(text, accept);
    uint32_t fault = fuzz_percent(random, 85) ? 0 : 1 + fuzz_below(random, 10);
    if (fault > 0) spoil(talk, FUZZ_MUST_FAIL, "a handshake that is refused");
    if (fault == 0 && fuzz_percent(random, 5)) bytes_text(bytes, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
    if (fault == 1) accept[fuzz_below(random, 20)] ^= 1;
    bytes_text(bytes, fault == 2 ? PICK(random, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", "HTTP/1.1 403 No\r\n",
                                        "HTTP/1.1 302 x\r\nLocation: /\r\n", "HTTP/1.0 101 x\r\n", "nonsense\r\n", "\r\n\r\n",
                                        "HTTP/1.1 401 x\r\nWWW-Authenticate: Basic realm=r\r\n")
                                 : "HTTP/1.1 101 Switching Protocols\r\n");
    if (fault == 3) bytes_text(bytes, " folded: first\r\n");
    if (fault != 4) bytes_text(bytes, PICK(random, "Upgrade: websocket\r\n", "upgrade: WebSocket\r\n"));
    if (fault != 5) bytes_text(bytes, PICK(random, "Connection: Upgrade\r\n", "connection: keep-alive, upgrade\r\n"));
    if (fault != 6) bytes_format(bytes, "Sec-WebSocket-Accept: %s\r\n", accept);
    if (fault == 7) bytes_text(bytes, "Sec-WebSocket-Protocol: unasked\r\n");
    if (fault == 8) bytes_text(bytes, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
    if (fault == 9) bytes_text(bytes, "No colon\r\n");
    if (fault != 10) bytes_text(bytes, "\r\n");
}

void websocket_make(const fuzz_request *request, const char *key, struct script *script) {
    *script = (struct script){.ending = HALF_CLOSES};
    struct talk talk = {.random = {fuzz_mix(request->seed, 0x3b + ((uint64_t)request->exchange << 32))}, .script = script,
                        .verdict = FUZZ_MUST_SUCCEED, .reason = "valid"};
    fuzz_random *random = &talk.random;
    add_handshake(&talk, key);
    bool is_refused = talk.verdict != FUZZ_MUST_SUCCEED;
    if (is_refused) {
        if (fuzz_percent(random, 50)) add_frame(&script->bytes, FIN | TEXT, "STRAY", 5);
    } else {
        for (uint32_t left = fuzz_below(random, 6); left > 0; left--) {
            add_control(&talk);
            add_message(&talk, true);
        }
        if (fuzz_percent(random, 50))
            add_fault(&talk);
        else if (fuzz_percent(random, 80))
            add_frame(&script->bytes, FIN | CLOSE, "\x03\xe8" "over", 6);
        else
            add_frame(&script->bytes, FIN | CLOSE, "", 0);
    }
    script->verdict = talk.verdict;
    script->reason = talk.reason;
    script->message_end = script->bytes.count;
    uint32_t cutting = fuzz_below(random, 100);
    script->cutting = cutting < 60 ? IN_ONE : cutting < 75 ? IN_BYTES : IN_PARTS;
    script->cuts = (fuzz_random){fuzz_next(random)};
}
