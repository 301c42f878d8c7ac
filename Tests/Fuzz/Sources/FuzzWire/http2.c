#include "http2.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http2frames.h"

struct answer {
    const fuzz_request *request;
    fuzz_random random;
    uint32_t stream;
    struct script *script;
    fuzz_bytes *bytes;
    fuzz_verdict verdict;
    const char *reason;
    int status;
    bool has_length;
    // The stream is reset with an error code that isn't an error.
    bool is_reset_quietly;
    // The end of the response's last frame, or its last byte if its length is announced; 0 without
    // an end.
    size_t end;
};

static void loosen(struct answer *answer, fuzz_verdict verdict, const char *reason) {
    if (answer->verdict >= verdict) return;
    answer->verdict = verdict;
    answer->reason = reason;
}

// Loosens the verdict for a fault that ends the connection, or may end it: for its other streams
// too.
static void breaks(struct answer *answer, fuzz_verdict verdict, const char *reason) {
    loosen(answer, verdict, reason);
    answer->script->is_fatal = true;
}

static void add_head(struct answer *answer, bool ends_stream) {
    fuzz_random *random = &answer->random;
    fuzz_bytes block = {0};
    char text[80];
    uint32_t fault = fuzz_percent(random, 75) ? 0 : 1 + fuzz_below(random, 12);
    snprintf(text, sizeof text, "%d", answer->status);
    if (fault == 1) {
        loosen(answer, FUZZ_MUST_FAIL, "no status");
    } else if (fault == 2) {
        hpack_add(&block, ":status", PICK(random, "", "20", "2000", "abc", "-1", "2 0"));
        loosen(answer, FUZZ_ANYTHING, "an odd status");
    } else {
        hpack_add(&block, ":status", text);
    }
    if (fault == 3) {
        hpack_add(&block, ":status", text);
        loosen(answer, FUZZ_MUST_FAIL, "two statuses");
    }
    snprintf(text, sizeof text, "%016llx-%u", (unsigned long long)answer->request->seed, answer->request->exchange);
    hpack_add(&block, "x-tag", text);
    if (fuzz_percent(random, 60)) {
        size_t count = answer->script->plain.count;
        if (fault == 4) count += 1 + fuzz_below(random, 5);
        snprintf(text, sizeof text, "%zu", count);
        hpack_add(&block, "content-length", text);
        answer->has_length = true;
        if (fault == 4) loosen(answer, FUZZ_MUST_FAIL, "another length");
    }
    switch (fault) {
    case 5:
        hpack_add(&block, "Upper-Case", "x");
        loosen(answer, FUZZ_ANYTHING, "a name in upper case");
        break;
    case 6:
        hpack_add(&block, PICK(random, "connection", "transfer-encoding", "keep-alive", "upgrade"), "chunked");
        loosen(answer, FUZZ_ANYTHING, "a field of the connection");
        break;
    case 7:
        hpack_add(&block, "late", "x");
        hpack_add(&block, PICK(random, ":status", ":path", ":odd"), "200");
        loosen(answer, FUZZ_ANYTHING, "a late pseudo field");
        break;
    case 8:
        hpack_add(&block, PICK(random, "a b", "", "a:", "a\x01", "a\n"), "x");
        loosen(answer, FUZZ_ANYTHING, "an odd name");
        break;
    case 9:
        hpack_add(&block, "value", PICK(random, "a\nb", "a\rb", "\x01", " a ", "a\x7f"));
        loosen(answer, FUZZ_ANYTHING, "an odd value");
        break;
    case 10: { // A dangling reference, an unterminated string, an unterminated number.
        const char *junk = PICK(random, "\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\x40\x7f", "\x80", "\xfe", "\x3f\xff\xff\xff\x7f",
                                "\x00\x85\xff\xff\xff\xff\xff");
        bytes_add(&block, junk, *junk ? strlen(junk) : 7);
        breaks(answer, FUZZ_MUST_FAIL, "a head that can't be decompressed");
        break;
    }
    case 11:
        for (uint32_t left = fuzz_below(random, 3000); left > 0; left--) hpack_add(&block, "many", "fields");
        loosen(answer, FUZZ_ANYTHING, "many fields");
        break;
    default: break;
    }
    for (uint32_t left = fuzz_below(random, 4); left > 0; left--)
        hpack_add(&block, PICK(random, "server", "set-cookie", "etag", "x"), PICK(random, "a=1", "\"e\"", "x"));
    size_t place = 0;
    bool is_first = true, is_split = block.count > 16384 || fuzz_percent(random, 10);
    do {
        size_t part = is_split ? 1 + fuzz_below(random, 16000) : block.count;
        if (part > block.count - place) part = block.count - place;
        bool is_last = place + part == block.count;
        uint8_t flags = (is_last ? END_HEADERS : 0) | (is_first && ends_stream ? END_STREAM : 0);
        http2_add(answer->bytes, is_first ? HEADERS : CONTINUATION, flags, answer->stream, block.data + place, part);
        place += part;
        is_first = false;
        if (!is_last && fuzz_percent(random, 2)) {
            http2_add(answer->bytes, PING, 0, 0, "between!", 8);
            breaks(answer, FUZZ_MUST_FAIL, "a frame within a head");
        }
    } while (place < block.count);
    bytes_free(&block);
}

// Adds a frame that is out of place, or harmless.
static void add_intruder(struct answer *answer) {
    fuzz_random *random = &answer->random;
    fuzz_bytes *bytes = answer->bytes;
    uint32_t stream = answer->stream;
    switch (fuzz_below(random, 16)) {
    case 0: http2_add(bytes, PING, 0, 0, "12345678", 8); break;
    case 1: http2_add(bytes, 0x20 + (uint8_t)fuzz_below(random, 200), (uint8_t)fuzz_next(random), stream, "extension", 9); break;
    case 2: http2_add_number(bytes, WINDOW_UPDATE, fuzz_percent(random, 50) ? stream : 0, 1 + fuzz_below(random, 1000)); break;
    case 3: http2_add(bytes, PRIORITY, 0, stream, "\0\0\0\0\5", 5); break;
    case 4: http2_add(bytes, DATA, 0, stream, "", 0); loosen(answer, FUZZ_ANYTHING, "data before or behind"); break;
    case 5:
        http2_add(bytes, PING, 0, 0, "1234567", 7);
        breaks(answer, FUZZ_MAY_FAIL, "a short ping");
        break;
    case 6:
        http2_add_number(bytes, WINDOW_UPDATE, 0, fuzz_percent(random, 50) ? 0 : 0x7fffffff);
        breaks(answer, FUZZ_MAY_FAIL, "a bad window");
        break;
    case 7:
        http2_add_number(bytes, WINDOW_UPDATE, stream, fuzz_percent(random, 50) ? 0 : 0x7fffffff);
        breaks(answer, FUZZ_MAY_FAIL, "a bad window of a stream");
        break;
    case 8:
        http2_add(bytes, DATA, 0, 0, "x", 1);
        breaks(answer, FUZZ_MAY_FAIL, "data of no stream");
        break;
    case 9:
        http2_add(bytes, fuzz_percent(random, 50) ? DATA : HEADERS, END_STREAM | END_HEADERS, stream + 2 * (1 + fuzz_below(random, 50)),
                  "\x88STRAY", 6);
        breaks(answer, FUZZ_MAY_FAIL, "a frame of a stream that isn't open");
        break;
    case 10: {
        uint8_t settings[] = {0, (uint8_t)(1 + fuzz_below(random, 8)), 0xff, 0xff, 0xff, (uint8_t)fuzz_next(random)};
        if (fuzz_percent(random, 50)) settings[2] = settings[3] = 0;
        http2_add(bytes, SETTINGS, 0, 0, settings, sizeof settings - fuzz_below(random, 2));
        breaks(answer, FUZZ_MAY_FAIL, "odd settings");
        break;
    }
    case 11:
        http2_add(bytes, SETTINGS, ACK, 0, "123456", fuzz_percent(random, 50) ? 6 : 0);
        breaks(answer, FUZZ_MAY_FAIL, "an acknowledgement of nothing");
        break;
    case 12: {
        // A promise that the client didn't allow, and its response.
        fuzz_bytes block = {0};
        bytes_add(&block, "\0\0\0\2", 4);
        hpack_add(&block, ":method", "GET");
        hpack_add(&block, ":path", "/pushed");
        hpack_add(&block, ":scheme", "http");
        hpack_add(&block, ":authority", "127.0.0.1");
        http2_add(bytes, PUSH_PROMISE, END_HEADERS, stream, block.data, block.count);
        bytes_free(&block);
        http2_add(bytes, HEADERS, END_HEADERS, 2, "\x88", 1);
        http2_add(bytes, DATA, END_STREAM, 2, "STRAY", 5);
        breaks(answer, FUZZ_MAY_FAIL, "a promise");
        break;
    }
    case 13:
        http2_add_goaway(bytes, fuzz_percent(random, 50) ? 0x7fffffff : stream, 0);
        breaks(answer, FUZZ_MAY_FAIL, "a farewell");
        break;
    case 14:
        http2_add_goaway(bytes, fuzz_percent(random, 50) ? 0 : stream, fuzz_below(random, 14));
        breaks(answer, FUZZ_MAY_FAIL, "a farewell with an error");
        break;
    default: {
        uint64_t junk[4];
        for (size_t index = 0; index < 4; index++) junk[index] = fuzz_next(random);
        bytes_add(bytes, junk, 1 + fuzz_below(random, sizeof junk));
        breaks(answer, FUZZ_ANYTHING, "bytes that are no frame");
        break;
    }
    }
}

static void add_data(struct answer *answer, bool ends_stream) {
    fuzz_random *random = &answer->random;
    const fuzz_bytes *plain = &answer->script->plain;
    size_t place = 0;
    do {
        size_t part = 1 + fuzz_below(random, 16000);
        if (part > plain->count - place) part = plain->count - place;
        bool is_last = place + part == plain->count;
        uint8_t flags = is_last && ends_stream ? END_STREAM : 0;
        if (part < 16000 && fuzz_percent(random, 10)) {
            fuzz_bytes payload = {0};
            uint8_t padding = (uint8_t)fuzz_below(random, 100);
            bytes_add(&payload, &padding, 1);
            bytes_add(&payload, plain->data + place, part);
            if (is_last && answer->has_length) answer->end = answer->bytes->count + frame_head + payload.count;
            bytes_fill(&payload, 0, padding);
            http2_add(answer->bytes, DATA, flags | PADDED, answer->stream, payload.data, payload.count);
            bytes_free(&payload);
        } else {
            http2_add(answer->bytes, DATA, flags, answer->stream, plain->data + place, part);
        }
        place += part;
        if (!is_last && fuzz_percent(random, 5)) add_intruder(answer);
    } while (place < plain->count);
    if (answer->has_length && answer->end == 0) answer->end = answer->bytes->count;
    if (ends_stream && !answer->has_length) answer->end = answer->bytes->count;
}

static void end_stream(struct answer *answer, uint32_t choice) {
    fuzz_random *random = &answer->random;
    // If a length was announced, the whole body has been sent.
    fuzz_verdict verdict = answer->has_length ? FUZZ_ANYTHING : FUZZ_MUST_FAIL;
    if (choice < 30) {
        fuzz_bytes block = {0};
        hpack_add(&block, "x-trailer", "t");
        if (fuzz_percent(random, 20)) {
            hpack_add(&block, ":status", "200");
            loosen(answer, FUZZ_ANYTHING, "a pseudo field in the trailers");
        }
        http2_add(answer->bytes, HEADERS, END_HEADERS | END_STREAM, answer->stream, block.data, block.count);
        bytes_free(&block);
        if (!answer->has_length) answer->end = answer->bytes->count;
    } else if (choice < 50) {
        uint32_t code = fuzz_below(random, 14);
        answer->is_reset_quietly = code == 0;
        http2_add_number(answer->bytes, RST_STREAM, answer->stream, code);
        loosen(answer, verdict, "a stream that is reset");
        // A client sends a refused stream again, up to five times, and gets the same answer.
    } else {
        answer->script->ending = fuzz_percent(random, 70) ? CLOSES : RESETS;
        breaks(answer, verdict, "a stream without an end");
    }
}

// Whether libcurl accepts some ends of a connection or stream as the end of a response without a
// length. Versions before 8.0 do; with them the library uses HTTP/2 only on request.
static bool has_unfinished(const struct answer *answer) {
    return curl_version_info(CURLVERSION_NOW)->version_num < 0x080000 && !answer->has_length &&
           answer->verdict != FUZZ_MUST_SUCCEED && (answer->script->is_fatal || answer->is_reset_quietly);
}

void http2_make(const fuzz_request *request, uint32_t stream, struct script *script) {
    *script = (struct script){0};
    struct answer answer = {
        .request = request,
        .random = {fuzz_mix(request->seed, 0x42 + ((uint64_t)request->exchange << 32))},
        .stream = stream,
        .script = script,
        .bytes = &script->bytes,
        .reason = "valid",
    };
    fuzz_random *random = &answer.random;
    answer.status = fuzz_percent(random, 80) ? 200 : 400 + (int)fuzz_below(random, 5) * 10;
    bool has_body = fuzz_percent(random, 90);
    if (has_body) {
        bytes_format(&script->plain, "[%016llx-%u]", (unsigned long long)request->seed, request->exchange);
        bytes_fill(&script->plain, 'a' + request->exchange % 26, fuzz_below(random, fuzz_percent(random, 90) ? 500 : 9000));
    }
    bool is_spoilt = fuzz_percent(random, 50);
    if (is_spoilt && fuzz_percent(random, 15)) add_intruder(&answer);
    if (fuzz_percent(random, 8)) {
        fuzz_bytes block = {0};
        hpack_add(&block, ":status", "103");
        http2_add(&script->bytes, HEADERS, END_HEADERS | (is_spoilt && fuzz_percent(random, 10) ? END_STREAM : 0), stream,
                  block.data, block.count);
        if (script->bytes.data[script->bytes.count - block.count - 5] & END_STREAM)
            loosen(&answer, FUZZ_MUST_FAIL, "an informational response that ends");
        bytes_free(&block);
    }
    // Valid heads need no faults, for which `add_head` draws from its own numbers.
    fuzz_random kept = answer.random;
    if (!is_spoilt) {
        fuzz_bytes block = {0};
        char text[80];
        snprintf(text, sizeof text, "%d", answer.status);
        hpack_add(&block, ":status", text);
        snprintf(text, sizeof text, "%016llx-%u", (unsigned long long)request->seed, request->exchange);
        hpack_add(&block, "x-tag", text);
        http2_add(&script->bytes, HEADERS, END_HEADERS | (has_body ? 0 : END_STREAM), stream, block.data, block.count);
        bytes_free(&block);
    } else {
        add_head(&answer, !has_body);
    }
    if (!has_body) answer.end = script->bytes.count;
    answer.random = (fuzz_random){fuzz_mix(kept.state, 1)};
    if (is_spoilt && fuzz_percent(random, 20)) add_intruder(&answer);
    uint32_t end = fuzz_below(random, 100);
    bool ends_plainly = !is_spoilt || end >= 70;
    if (has_body) add_data(&answer, ends_plainly);
    if (has_body && !ends_plainly) end_stream(&answer, end);
    if (is_spoilt && fuzz_percent(random, 20)) add_intruder(&answer);
    if (is_spoilt && fuzz_percent(random, 8)) {
        script->bytes.count = fuzz_below(random, (uint32_t)script->bytes.count + 1);
        script->ending = CLOSES;
        // Unless any result is allowed for another reason.
        breaks(&answer, script->bytes.count < answer.end ? FUZZ_MUST_FAIL : FUZZ_ANYTHING, "frames that are cut off");
    }
    if (has_unfinished(&answer)) loosen(&answer, FUZZ_ANYTHING, answer.reason);
    script->verdict = answer.verdict;
    script->reason = answer.reason;
    script->status = answer.status;
    script->cutting = fuzz_percent(random, 80) ? IN_ONE : IN_PARTS;
    script->cuts = (fuzz_random){fuzz_next(random)};
    script->message_end = script->bytes.count;
}
