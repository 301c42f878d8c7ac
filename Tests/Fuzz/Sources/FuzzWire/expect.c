// Computes what a client must deliver for the server's responses.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "http2.h"
#include "reader.h"
#include "script.h"
#include "websocket.h"

char fuzz_letter(fuzz_kind kind) { return "cbrhw"[kind]; }

void fuzz_path(const fuzz_request *request, char *path, size_t capacity) {
    if (request->kind == FUZZ_HTTP2) {
        fuzz_http2_path(request, path, capacity);
        return;
    }
    snprintf(path, capacity, "/%c/%016llx/%u/%u", fuzz_letter(request->kind), (unsigned long long)request->seed, request->exchange,
             request->hop);
}

void fuzz_settle_path(const fuzz_request *request, char *path, size_t capacity) {
    snprintf(path, capacity, "/s/%016llx/%u/0", (unsigned long long)request->seed, request->exchange);
}

static void loosen(fuzz_expectation *found, fuzz_verdict verdict, const char *reason) {
    if (found->verdict >= verdict) return;
    found->verdict = verdict;
    found->reason = reason;
}

static bool is_verbose;

void fuzz_set_verbose(bool verbose) { is_verbose = verbose; }

bool fuzz_is_verbose(void) { return is_verbose; }

static void describe(const fuzz_request *request, const struct script *script, const struct message *message);

enum { largest_plain = 16000000 };
enum stream { STREAM_WHOLE, STREAM_WITH_REST, STREAM_CUT, STREAM_DAMAGED };

// Decodes a zlib, gzip or raw deflate stream, selected by `window`.
static enum stream inflate_strictly(const fuzz_bytes *encoded, int window, fuzz_bytes *plain) {
    z_stream stream = {.next_in = encoded->data, .avail_in = (uInt)encoded->count};
    if (inflateInit2(&stream, window) != Z_OK) abort();
    uint8_t part[16 * 1024];
    int state;
    plain->count = 0;
    do {
        stream.next_out = part;
        stream.avail_out = sizeof part;
        state = inflate(&stream, Z_NO_FLUSH);
        bytes_add(plain, part, sizeof part - stream.avail_out);
    } while (state == Z_OK && plain->count < largest_plain);
    bool has_rest = stream.avail_in > 0;
    inflateEnd(&stream);
    if (state == Z_STREAM_END) return has_rest ? STREAM_WITH_REST : STREAM_WHOLE;
    return state == Z_BUF_ERROR ? STREAM_CUT : STREAM_DAMAGED;
}

static enum stream read_stream(enum coding coding, const fuzz_bytes *encoded, fuzz_bytes *plain) {
    if (coding == GZIP) return inflate_strictly(encoded, 15 + 16, plain);
    // Content without a zlib header may be raw deflate.
    enum stream stream = inflate_strictly(encoded, 15, plain);
    if (stream == STREAM_WHOLE) return stream;
    enum stream raw = inflate_strictly(encoded, -15, plain);
    return raw == STREAM_WHOLE || raw == STREAM_WITH_REST ? raw : stream;
}

// Sets the expectation for a body that differs from the encoding the server made.
static void decode_damaged(const struct script *script, const fuzz_bytes *framed, fuzz_expectation *found) {
    const fuzz_bytes *encoded = &script->encoded;
    bool is_deflated = script->coding == GZIP || script->coding == DEFLATE || script->coding == RAW_DEFLATE;
    bool is_cut = script->is_coding_cut && framed->count <= encoded->count &&
                  memcmp(encoded->data, framed->data, framed->count) == 0;
    fuzz_bytes plain = {0};
    enum stream stream = is_deflated ? read_stream(script->coding, framed, &plain) : STREAM_DAMAGED;
    if (stream == STREAM_WHOLE && script->coding == GZIP) {
        bytes_add(&found->body, plain.data, plain.count);
    } else if (is_cut || stream == STREAM_CUT) {
        loosen(found, FUZZ_MUST_FAIL, "an encoded body that is cut off");
    } else if (is_deflated && stream == STREAM_DAMAGED && plain.count < largest_plain) {
        loosen(found, FUZZ_MUST_FAIL, "an encoded body that can't be decoded");
    } else {
        loosen(found, FUZZ_ANYTHING, "a damaged encoding");
    }
    bytes_free(&plain);
}

// Decodes the body of `message`, if the result is certain.
static void decode(const struct script *script, const struct message *message, fuzz_expectation *found) {
    const fuzz_bytes *framed = &message->body;
    if (message->encoding_count == 0) {
        bytes_add(&found->body, framed->data, framed->count);
        return;
    }
    bool is_gzip = strcasecmp(message->encoding, "gzip") == 0 || strcasecmp(message->encoding, "x-gzip") == 0;
    bool is_known = message->encoding_count == 1 && script->coding != IDENTITY &&
                    (strcasecmp(message->encoding, coding_name(script->coding)) == 0 ||
                     (script->coding == GZIP && is_gzip));
    if (!is_known) {
        loosen(found, FUZZ_ANYTHING, "other encodings");
    } else if (script->encoded.count == framed->count && !script->is_coding_spoilt &&
               memcmp(script->encoded.data, framed->data, framed->count) == 0) {
        bytes_add(&found->body, script->plain.data, script->plain.count);
        // Without zlib's header it isn't valid (RFC 9110, section 8.4.1.2).
        if (script->coding == RAW_DEFLATE) loosen(found, FUZZ_MAY_FAIL, "raw deflate");
    } else if (framed->count == 0) {
        loosen(found, FUZZ_MAY_FAIL, "an encoded body without a byte");
    } else if (message->status == 206) {
        loosen(found, FUZZ_ANYTHING, "a part of encoded content");
    } else {
        decode_damaged(script, framed, found);
    }
}

static bool is_redirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// Whether `location` is the URL of the next response, as a plain path or an absolute URL.
static bool leads_on(const char *location, const fuzz_request *request) {
    fuzz_request next = *request;
    next.hop++;
    char path[128], url[256];
    fuzz_path(&next, path, sizeof path);
    snprintf(url, sizeof url, "http://%s%s", request->authority, path);
    return strcmp(location, path) == 0 || strcmp(location, url) == 0;
}

// Reads one response; returns whether the client follows a redirect.
static bool judge(fuzz_request *request, const fuzz_client *client, fuzz_expectation *found) {
    struct script script;
    struct message message;
    script_make(request, &script);
    read_message(script.bytes.data, script.bytes.count, request->method == FUZZ_HEAD, &message);
    if (is_verbose) describe(request, &script, &message);
    bool follows = false;
    bool has_rest = message.end < script.bytes.count;
    found->status = message.status;
    found->hops = request->hop;
    found->settles = message.reading != READ_WHOLE || !message.is_strict || has_rest || script.ending != KEEPS_OPEN;
    found->stalls |= script.ending == STALLS;
    bool is_broken = message.reading == READ_TRUNCATED || message.reading == READ_INVALID ||
                     (script.ending == RESETS && message.ends_with_connection);
    // A client may follow a redirect before it has received the body.
    if (message.has_head && client->follows && is_redirect(message.status) && message.location_count > 0) {
        if (message.reading != READ_UNCLEAR)
            follows = message.location_count == 1 && leads_on(message.location, request);
        if (!follows) loosen(found, FUZZ_ANYTHING, "a redirect to elsewhere");
        found->strays |= !follows;
        // It may lead to a response of this server, whose rest comes late.
        found->settles |= !follows;
    }
    // The client may send the next request before it sees the end of the connection, and doesn't retry a POST.
    if (follows && script.ending != KEEPS_OPEN && request->method == FUZZ_POST && message.status >= 307)
        loosen(found, FUZZ_MAY_FAIL, "a POST over a connection that the server closes");
    if (is_broken) loosen(found, follows ? FUZZ_MAY_FAIL : FUZZ_MUST_FAIL, message.reason);
    if (message.reading == READ_UNCLEAR) loosen(found, FUZZ_ANYTHING, message.reason);
    if (script.ending == RESETS) loosen(found, FUZZ_MAY_FAIL, "a reset behind the response");
    if (!message.is_strict) loosen(found, FUZZ_MAY_FAIL, message.reason);
    if (message.status == 205 || message.status == 206)
        loosen(found, FUZZ_MAY_FAIL, "a status that means more");
    bool has_body = request->method != FUZZ_HEAD && message.status != 204 && message.status != 304;
    if (!follows && has_body && found->verdict < FUZZ_MUST_FAIL) {
        if (client->decodes)
            decode(&script, &message, found);
        else
            bytes_add(&found->body, message.body.data, message.body.count);
    }
    if ((follows || !has_body) && client->decodes && message.encoding_count > 0 &&
        (script.is_coding_spoilt || script.coding == IDENTITY || script.coding == RAW_DEFLATE ||
         message.encoding_count > 1))
        loosen(found, FUZZ_MAY_FAIL, "an odd encoding of a body that isn't delivered");
    if (follows) {
        if (request->method == FUZZ_POST && message.status < 307) request->method = FUZZ_GET;
        request->hop++;
    }
    message_free(&message);
    script_free(&script);
    return follows;
}

static void expect_frames(const fuzz_request *request, fuzz_expectation *found) {
    struct script script;
    if (request->kind == FUZZ_HTTP2)
        http2_make(request, 1, &script);
    else
        websocket_make(request, "", &script);
    found->verdict = script.verdict;
    found->reason = script.reason;
    found->status = script.status;
    found->is_fatal = script.is_fatal;
    bytes_add(&found->body, script.plain.data, script.plain.count);
    struct message message = {.end = script.message_end, .reason = script.reason};
    if (is_verbose) describe(request, &script, &message);
    script_free(&script);
}

void fuzz_expect(const fuzz_request *request, const fuzz_client *client, fuzz_expectation *found) {
    *found = (fuzz_expectation){.reason = "valid"};
    if (request->kind == FUZZ_HTTP2 || request->kind == FUZZ_WEBSOCKET) {
        expect_frames(request, found);
        return;
    }
    fuzz_request next = *request;
    while (judge(&next, client, found)) {
        if (next.hop - request->hop > client->redirect_limit) {
            loosen(found, FUZZ_MUST_FAIL, "too many redirects");
            return;
        }
    }
}

void fuzz_expectation_free(fuzz_expectation *expectation) { bytes_free(&expectation->body); }

bool fuzz_sends(const fuzz_request *request, const void *bytes, size_t count) {
    if (request->kind == FUZZ_HTTP2 || request->kind == FUZZ_WEBSOCKET) return false;
    fuzz_request next = *request;
    bool is_sent = count == 0;
    // A redirect may change POST to GET.
    enum { methods = FUZZ_POST + 1, hops = 6 };
    for (int place = 0; place < methods * hops && !is_sent; place++) {
        next.hop = (uint32_t)(place / methods);
        next.method = (fuzz_method)(place % methods);
        struct script script;
        script_make(&next, &script);
        size_t own = script.bytes.count < script.message_end ? script.bytes.count : script.message_end;
        is_sent = memmem(script.bytes.data, own, bytes, count) != NULL;
        script_free(&script);
    }
    return is_sent;
}

// Prints the server's bytes, escaped, to stderr.
static void describe(const fuzz_request *request, const struct script *script, const struct message *message) {
    static const char *const endings[] = {"keeps open", "closes", "resets", "stalls", "sends no more"};
    static const char *const readings[] = {"whole", "truncated", "invalid", "unclear"};
    static const char *const methods[] = {"GET", "HEAD", "POST"};
    flockfile(stderr);
    fprintf(stderr, "  exchange %u, %s, hop %u: %zu bytes, the response ends at %zu, then it %s%s; cutting %d; %s (%s)\n  \"",
            request->exchange, methods[request->method], request->hop, script->bytes.count, message->end,
            endings[script->ending], script->is_rest_late ? " (the rest comes late)" : "", script->cutting,
            readings[message->reading], message->reason);
    enum { head = 1200, tail = 400 };
    for (size_t index = 0; index < script->bytes.count; index++) {
        if (index == head && script->bytes.count > head + tail) {
            index = script->bytes.count - tail;
            fputs(" … ", stderr);
        }
        uint8_t byte = script->bytes.data[index];
        if (byte == '\n')
            fputs("\\n\n   ", stderr);
        else if (byte == '\r')
            fputs("\\r", stderr);
        else if (isprint(byte))
            fputc(byte, stderr);
        else
            fprintf(stderr, "\\x%02x", byte);
    }
    fputs("\"\n", stderr);
    funlockfile(stderr);
}
