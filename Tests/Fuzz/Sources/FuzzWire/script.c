#include "script.h"

#include <stdio.h>
#include <string.h>

#include "reader.h"

static int pick_status(const fuzz_request *request, fuzz_random *random) {
    static const int redirects[] = {301, 302, 303, 307, 308, 300, 305};
    static const int others[] = {201, 203, 204, 205, 206, 304, 400, 401, 403, 404, 407,
                                 410, 413, 416, 429, 500, 502, 503, 299, 499, 599};
    uint32_t choice = fuzz_below(random, 100);
    if (choice < 70) return 200;
    if (choice < 82) return request->hop < 4 ? redirects[fuzz_below(random, 7)] : 200;
    return others[fuzz_below(random, sizeof others / sizeof *others)];
}

static void make_content(struct draft *draft) {
    fuzz_random *random = draft->random;
    fuzz_bytes *plain = &draft->script->plain;
    uint32_t choice = fuzz_below(random, 1000);
    uint32_t count = choice < 100   ? 0
                     : choice < 600 ? fuzz_below(random, 100)
                     : choice < 900 ? fuzz_below(random, 3000)
                     : choice < 995 ? fuzz_below(random, 60000)
                                    : fuzz_below(random, 1000000);
    if (choice >= 100)
        bytes_format(plain, "[%016llx-%u-%u]", (unsigned long long)draft->request->seed,
                     draft->request->exchange, draft->request->hop);
    uint64_t letters = 0;
    for (uint32_t index = 0; index < count; index++) {
        if (index % 10 == 0) letters = fuzz_next(random);
        uint8_t letter = (uint8_t)('a' + (letters & 15));
        letters >>= 6;
        bytes_add(plain, &letter, 1);
    }
    // Content that compression shrinks to a thousandth.
    if (choice == 999 && fuzz_percent(random, 50)) bytes_fill(plain, 'z', 4000000);
    enum coding coding = fuzz_percent(random, 30) ? (enum coding)(1 + fuzz_below(random, 5)) : IDENTITY;
    draft->script->coding = coding;
    coding_encode(coding, plain, random, &draft->script->encoded);
}

static void add_informational(struct draft *draft, bool is_spoilt) {
    fuzz_random *random = draft->random;
    fuzz_bytes *bytes = &draft->script->bytes;
    uint32_t count = 1 + fuzz_below(random, 3);
    if (is_spoilt && fuzz_percent(random, 10)) count = 20 + fuzz_below(random, 130);
    for (; count > 0; count--) {
        bytes_text(bytes, PICK(random, "HTTP/1.1 100 Continue\r\n", "HTTP/1.1 102 Processing\r\n",
                               "HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n", "HTTP/1.1 199 \r\n"));
        if (is_spoilt && fuzz_percent(random, 20))
            bytes_text(bytes, PICK(random, "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n",
                                   "Location: /informational\r\n", "Set-Cookie: i=1\r\n", " folded\r\n", "x\r\n",
                                   "Content-Encoding: gzip\r\n", "Connection: close\r\n"));
        bytes_text(bytes, "\r\n");
    }
}

static void add_message(struct draft *draft, bool is_spoilt) {
    fuzz_random *random = draft->random;
    struct script *script = draft->script;
    fuzz_bytes own = {0};
    bytes_format(&own, "X-Tag: %016llx-%u\r\n", (unsigned long long)draft->request->seed,
                 draft->request->exchange);
    if (script->coding != IDENTITY)
        bytes_format(&own, "Content-Encoding: %s\r\n",
                     script->coding == GZIP && fuzz_percent(random, 10) ? PICK(random, "GZIP", "x-gzip")
                                                                        : coding_name(script->coding));
    bytes_replace(&draft->fields, fuzz_percent(random, 50) ? 0 : draft->fields.count, 0, own.data, own.count);
    bytes_free(&own);
    // Adds faults before the length field, so that a response may have two lengths, or a wrong one
    // only.
    uint32_t faults = is_spoilt ? 1 + fuzz_below(random, 2) : 0;
    while (faults-- > 0) draft_spoil_fields(draft);
    if (draft->framing == BY_LENGTH)
        bytes_format(&draft->fields, "Content-Length: %zu\r\n", script->encoded.count);
    else if (draft->framing == BY_CHUNKS)
        bytes_text(&draft->fields, "Transfer-Encoding: chunked\r\n");
    if (fuzz_percent(random, 6)) add_informational(draft, is_spoilt);
    bytes_text(&script->bytes, draft->status_line);
    bytes_add(&script->bytes, draft->fields.data, draft->fields.count);
    bytes_text(&script->bytes, "\r\n");
    bool has_body = draft->request->method != FUZZ_HEAD && draft->status != 204 && draft->status != 304;
    if (!has_body && !(is_spoilt && fuzz_percent(random, 10))) return;
    if (draft->framing == BY_CHUNKS)
        draft_add_chunks(draft, is_spoilt && fuzz_percent(random, 50));
    else
        bytes_add(&script->bytes, script->encoded.data, script->encoded.count);
}

// Changes bytes, mostly in the head.
static void mutate(struct draft *draft) {
    fuzz_random *random = draft->random;
    fuzz_bytes *bytes = &draft->script->bytes;
    for (uint32_t left = 1 + fuzz_below(random, 3); left > 0 && bytes->count > 0; left--) {
        uint32_t reach = (uint32_t)bytes->count;
        if (reach > 400 && fuzz_percent(random, 80)) reach = 400;
        size_t place = fuzz_below(random, reach);
        uint8_t byte = (uint8_t)fuzz_next(random);
        switch (fuzz_below(random, 6)) {
        case 0: bytes->data[place] = byte; break;
        case 1: bytes->data[place] ^= (uint8_t)(1 << (byte & 7)); break;
        case 2: bytes_replace(bytes, place, 0, &byte, 1); break;
        case 3: bytes_replace(bytes, place, 1 + (byte & 7), NULL, 0); break;
        case 4: { // Repeats some bytes.
            size_t part = 1 + (byte & 63);
            if (part > bytes->count - place) part = bytes->count - place;
            bytes_replace(bytes, fuzz_below(random, reach), 0, bytes->data + place, part);
            break;
        }
        default: {
            const char *text = PICK(random, "\r\n", "\n", "\r", ":", " ", "\t", "0", "9", ",", ";", "\"", "%00",
                                    "HTTP/1.1 200 OK\r\n\r\n", "\r\n\r\n", "chunked");
            bytes_replace(bytes, place, 0, text, strlen(text));
        }
        }
    }
}

static void add_rest(struct draft *draft) {
    fuzz_random *random = draft->random;
    fuzz_bytes *bytes = &draft->script->bytes;
    // The request after a redirect or a challenge follows at once, and must not cross with late
    // bytes.
    bool is_last = draft->status / 100 != 3 && draft->status != 401 && draft->status != 407 &&
                   draft->request->kind != FUZZ_CROWDED;
    draft->script->is_rest_late = is_last && fuzz_percent(random, 70);
    if (fuzz_percent(random, 70)) {
        bytes_format(bytes, "HTTP/1.1 %d OK\r\nX-Tag: stray\r\n%sContent-Length: 5\r\n\r\nSTRAY",
                     fuzz_percent(random, 80) ? 200 : 404,
                     PICK(random, "", "Cache-Control: max-age=600\r\n", "Set-Cookie: stray=1\r\n"));
    } else {
        bytes_text(bytes, PICK(random, "\r\n", "x", "\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\n",
                               "HTTP/1.1 408 Timeout\r\nConnection: close\r\n\r\n", "\0", "0\r\n\r\n", "STRAY",
                               "HTTP/1.1 101 x\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nSTRAY"));
    }
}

// Decides whether the connection outlives the response, and otherwise how it ends.
static void end_message(struct draft *draft, bool is_spoilt) {
    struct script *script = draft->script;
    fuzz_random *random = draft->random;
    bool is_head = draft->request->method == FUZZ_HEAD;
    if (is_spoilt && fuzz_percent(random, 15) && script->bytes.count > 0)
        script->bytes.count = fuzz_below(random, (uint32_t)script->bytes.count);
    struct message message;
    read_message(script->bytes.data, script->bytes.count, is_head, &message);
    // Another reader may find a response where this one finds none.
    script->message_end = message.reading == READ_WHOLE ? message.end : script->bytes.count;
    bool is_plain = message.reading == READ_WHOLE && message.is_strict && !message.ends_with_connection;
    bool is_over = is_plain && message.end == script->bytes.count;
    if (is_over && fuzz_percent(random, 8)) add_rest(draft);
    // The rest arrives with the response, or after a pause: never while the next request is in
    // flight.
    enum { largest_segment = 8000 };
    if (message.reading == READ_WHOLE && message.end < script->bytes.count && !script->is_rest_late) {
        script->cutting = IN_ONE;
        if (script->bytes.count > largest_segment) script->bytes.count = message.end;
    }
    if (is_plain)
        script->ending = fuzz_percent(random, 90) ? KEEPS_OPEN : fuzz_percent(random, 70) ? CLOSES : RESETS;
    else
        script->ending = fuzz_percent(random, is_spoilt ? 80 : 99) ? CLOSES : RESETS;
    // One in five hundred truncated responses stalls: each takes a client's whole timeout.
    if (message.reading == READ_TRUNCATED && fuzz_below(random, 500) == 0) script->ending = STALLS;
    message_free(&message);
}

void script_make(const fuzz_request *request, struct script *script) {
    if (request->kind == FUZZ_RANGED) {
        ranged_make(request, script);
        return;
    }
    uint64_t place = (uint64_t)request->exchange << 32 | request->hop << 8 | (uint32_t)request->method;
    fuzz_random random = {fuzz_mix(request->seed, place)};
    *script = (struct script){.cuts = {fuzz_next(&random)}};
    struct draft draft = {.request = request, .random = &random, .script = script};
    uint32_t purity = fuzz_below(&random, 100);
    bool is_spoilt = purity >= 45 && purity < 80, is_mutated = purity >= 75;
    draft.status = pick_status(request, &random);
    snprintf(draft.status_line, sizeof draft.status_line, "HTTP/1.%d %d %s\r\n",
             fuzz_percent(&random, 92) ? 1 : 0, draft.status, PICK(&random, "OK", "", "Some reason", "x"));
    make_content(&draft);
    uint32_t framing = fuzz_below(&random, 100);
    draft.framing = framing < 50 ? BY_LENGTH : framing < 90 ? BY_CHUNKS : BY_CONNECTION;
    // HTTP/1.0 has no chunks.
    if (draft.framing == BY_CHUNKS && draft.status_line[7] == '0') draft.framing = BY_LENGTH;
    if (draft.status == 204 && draft.framing != BY_CONNECTION && fuzz_percent(&random, 90))
        draft.framing = BY_CONNECTION;
    draft_add_fields(&draft);
    uint32_t cutting = fuzz_below(&random, 100);
    script->cutting = cutting < 75 ? IN_ONE : cutting < 85 ? IN_BYTES : IN_PARTS;
    add_message(&draft, is_spoilt);
    if (is_mutated) mutate(&draft);
    end_message(&draft, is_spoilt || is_mutated);
    bytes_free(&draft.fields);
}

void script_free(struct script *script) {
    bytes_free(&script->bytes);
    bytes_free(&script->plain);
    bytes_free(&script->encoded);
}

size_t script_segment(struct script *script, size_t sent) {
    enum { single_bytes = 150 };
    size_t end = script->bytes.count;
    if (script->is_rest_late && sent < script->message_end) end = script->message_end;
    size_t part = end - sent;
    if (script->cutting == IN_BYTES && sent < single_bytes) return part < 1 ? part : 1;
    if (script->cutting == IN_PARTS) {
        size_t cut = 1 + fuzz_below(&script->cuts, fuzz_percent(&script->cuts, 50) ? 40 : 5000);
        return part < cut ? part : cut;
    }
    return part;
}
