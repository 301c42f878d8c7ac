#include "script.h"

#include <stdio.h>
#include <string.h>

// The start of a random line of the fields; 0 if there are none.
static size_t random_line(struct draft *draft) {
    fuzz_bytes *fields = &draft->fields;
    size_t place = fields->count ? fuzz_below(draft->random, (uint32_t)fields->count) : 0;
    while (place > 0 && fields->data[place - 1] != '\n') place--;
    return place;
}

static void insert_line(struct draft *draft, const char *line) {
    bytes_replace(&draft->fields, random_line(draft), 0, line, strlen(line));
}

static void fold(struct draft *draft) {
    fuzz_random *random = draft->random;
    if (fuzz_percent(random, 30)) {
        // The first line is a folded line without a line before it.
        fuzz_bytes line = {0};
        bytes_text(&line, PICK(random, " a:", "\ta", " ", " :", "  Content-Length: 5"));
        bytes_fill(&line, 'A', fuzz_below(random, 400));
        bytes_text(&line, "\r\n");
        bytes_replace(&draft->fields, 0, 0, line.data, line.count);
        bytes_free(&line);
        return;
    }
    fuzz_bytes *fields = &draft->fields;
    if (fields->count < 4) return;
    size_t place = random_line(draft);
    const uint8_t *colon = memchr(fields->data + place, ':', fields->count - place);
    if (!colon) return;
    const char *gap = PICK(random, "\r\n ", "\r\n\t", "\r\n \r\n ", "\n ", "\r\n  \t  ");
    bytes_replace(fields, (size_t)(colon - fields->data) + 1 + fuzz_below(random, 3), 0, gap, strlen(gap));
}

static void spoil_length(struct draft *draft) {
    fuzz_random *random = draft->random;
    unsigned long count = (unsigned long)draft->script->encoded.count;
    char line[128];
    switch (fuzz_below(random, 8)) {
    case 0: snprintf(line, sizeof line, "Content-Length: %lu\r\n", count); break;
    case 1: snprintf(line, sizeof line, "Content-Length: %lu, %lu\r\n", count, count); break;
    case 2: snprintf(line, sizeof line, "Content-Length: %lu\r\n", count + 1 + fuzz_below(random, 20)); break;
    case 3: snprintf(line, sizeof line, "Content-Length: %u\r\n", fuzz_below(random, (uint32_t)count + 1)); break;
    case 4: snprintf(line, sizeof line, "content-length:%lu\t \r\n", count); break;
    case 5: snprintf(line, sizeof line, "Content-Length: %lu,\r\n", count); break;
    default:
        snprintf(line, sizeof line, "Content-Length: %s\r\n",
                 PICK(random, "", "-1", "+5", "0x5", "5 5", "5.0", "1e1", "9223372036854775807",
                      "9223372036854775808", "18446744073709551616", "18446744073709551621", "five", ",",
                      "00000000000000000000000000005", "5\v", "4294967296", ", 5", "5;5", "\xd9\xa3"));
    }
    if (fuzz_percent(random, 50)) draft->framing = BY_CONNECTION;
    insert_line(draft, line);
}

static void spoil_coding(struct draft *draft) {
    insert_line(draft, PICK(draft->random, "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: identity\r\n",
                            "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: chunked, gzip\r\n",
                            "Transfer-Encoding: chunked, chunked\r\n", "Transfer-Encoding: xchunked\r\n",
                            "Transfer-Encoding: chunked;q=1\r\n", "Transfer-Encoding:\r\n", "TE: chunked\r\n",
                            "Transfer-Encoding: \"chunked\"\r\n", "Transfer-Encoding: gzip\r\n",
                            "Transfer-Encoding : chunked\r\n", "transfer-encoding:\tCHUNKED\t\r\n"));
}

static void enlarge(struct draft *draft) {
    fuzz_random *random = draft->random;
    fuzz_bytes more = {0};
    if (fuzz_percent(random, 50)) {
        bytes_text(&more, PICK(random, "X-Huge: ", "Set-Cookie: a=", "ETag: \"", "Location: /"));
        bytes_fill(&more, 'h', 60000 + fuzz_below(random, 100000));
        bytes_text(&more, "\r\n");
    } else {
        const char *line = PICK(random, "Set-Cookie: a=1\r\n", "X: y\r\n", "A:\r\n", "Link: </a>; rel=x\r\n");
        for (uint32_t left = 400 + fuzz_below(random, 1500); left > 0; left--) bytes_text(&more, line);
    }
    bytes_replace(&draft->fields, random_line(draft), 0, more.data, more.count);
    bytes_free(&more);
}

static void spoil_name(struct draft *draft) {
    fuzz_random *random = draft->random;
    if (fuzz_percent(random, 60)) {
        insert_line(draft, PICK(random, "No colon\r\n", ": no name\r\n", "A B: c\r\n", "A : c\r\n", "A\x01: c\r\n",
                                "\xc3\xa4: c\r\n", "A:\x01\r\n", "A: \x7f\r\n", "A: b\rC: d\r\n", "A: b\n",
                                "HTTP/1.1 200 OK\r\n", "GET / HTTP/1.1\r\n", "(a): b\r\n", "\"a\": b\r\n",
                                "Content-Length : 5\r\n", "Content-Encoding : gzip\r\n", "::\r\n", "a:b:c\r\n"));
    } else {
        // A null byte at a random place.
        fuzz_bytes *fields = &draft->fields;
        if (fields->count) fields->data[fuzz_below(random, (uint32_t)fields->count)] = 0;
    }
}

static void spoil_status(struct draft *draft) {
    fuzz_random *random = draft->random;
    snprintf(draft->status_line, sizeof draft->status_line, "%s\r\n",
             PICK(random, "HTTP/1.1 200", "HTTP/1.1 2000 OK", "HTTP/1.1 20 OK", "HTTP/1.1  200 OK", "HTTP/2 200",
                  "HTTP/2.0 200 OK", "HTTP/3 200 OK", "HTTP/1.2 200 OK", "HTTP/0.9 200 OK", "http/1.1 200 OK",
                  "HTTP/1.1 000 OK", "HTTP/1.1 999 OK", "HTTP/1.1 -200 OK", "HTTP/1.1\t200 OK", "HTTP/1.1", "HTTP/",
                  "ICY 200 OK", "RTSP/1.0 200 OK", "<html>", "", "HTTP/1.1 101 Switching", "HTTP/1.1 199 x",
                  "HTTP/1.1 200 \x01\x02", "HTTP/1.1 200 \xff", "HTTP/1.1 2e2 OK", "HTTP/11 200 OK", "HTTP/1.10 200 OK",
                  "\r\nHTTP/1.1 200 OK", " HTTP/1.1 200 OK", "HTTP /1.1 200 OK", "SSH-2.0-OpenSSH", "HTTP/1.1 600 OK"));
}

static void spoil_encoding(struct draft *draft) {
    fuzz_random *random = draft->random;
    fuzz_bytes *encoded = &draft->script->encoded;
    uint32_t choice = fuzz_below(random, 5);
    if (draft->script->coding != IDENTITY && choice < 4) {
        draft->script->is_coding_cut = choice < 2 && !draft->script->is_coding_spoilt && encoded->count > 0;
        draft->script->is_coding_spoilt = true;
    }
    switch (choice) {
    case 0: encoded->count = encoded->count ? fuzz_below(random, (uint32_t)encoded->count) : 0; break;
    case 1: // Cuts off little: checksums, the last block.
        encoded->count -= encoded->count < 16 ? encoded->count : 1 + fuzz_below(random, 16);
        break;
    case 2:
        for (uint32_t left = 1 + fuzz_below(random, 4); left > 0 && encoded->count > 0; left--)
            encoded->data[fuzz_below(random, (uint32_t)encoded->count)] ^= 1 << fuzz_below(random, 8);
        break;
    case 3: bytes_text(encoded, PICK(random, "x", "\x1f\x8b", "trailing text", "\r\n", "\xff\xff\xff\xff")); break;
    default:
        insert_line(draft, PICK(random, "Content-Encoding: gzip\r\n", "Content-Encoding: none\r\n",
                                "Content-Encoding: gzip, gzip\r\n", "Content-Encoding: br\r\n",
                                "Content-Encoding: zstd\r\n", "Content-Encoding:\r\n", "Content-Encoding: identity\r\n",
                                "Content-Encoding: deflate, br, zstd, gzip\r\n", "Content-Encoding: x-unknown\r\n",
                                "Content-Encoding: gzip;q=1\r\n", "Content-Encoding: ,gzip,\r\n",
                                "Content-Encoding: gzip,gzip,gzip,gzip,gzip,gzip,gzip,gzip,gzip,gzip\r\n"));
    }
}

void draft_spoil_fields(struct draft *draft) {
    switch (fuzz_below(draft->random, 9)) {
    case 0: fold(draft); break;
    case 1:
    case 2: spoil_length(draft); break;
    case 3: spoil_coding(draft); break;
    case 4:
        if (fuzz_percent(draft->random, 15)) enlarge(draft);
        break;
    case 5: spoil_name(draft); break;
    case 6: spoil_status(draft); break;
    default: spoil_encoding(draft);
    }
}

static void add_trailers(struct draft *draft, bool is_spoilt) {
    fuzz_random *random = draft->random;
    fuzz_bytes *bytes = &draft->script->bytes;
    if (!is_spoilt) {
        if (fuzz_percent(random, 15)) bytes_text(bytes, "X-Checksum: 5\r\nExpires: never\r\n");
        return;
    }
    bytes_text(bytes, PICK(random, "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", " folded\r\n",
                           "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n\r\n", "no colon\r\n", "a: b\n", "A:\r\n b\r\n",
                           "Set-Cookie: trailer=1\r\n", "a\r\n", "\x01: x\r\n", "A: \r", "Location: /trailer\r\n"));
    if (fuzz_percent(random, 5))
        for (uint32_t left = 1500; left > 0; left--) bytes_text(bytes, "T: x\r\n");
}

void draft_add_chunks(struct draft *draft, bool is_spoilt) {
    fuzz_random *random = draft->random;
    fuzz_bytes *bytes = &draft->script->bytes;
    const fuzz_bytes *content = &draft->script->encoded;
    uint32_t largest = fuzz_percent(random, 20) ? 20 : 40000;
    if (content->count > 20000) largest = 40000;
    for (size_t place = 0; place < content->count;) {
        size_t part = 1 + fuzz_below(random, largest);
        if (part > content->count - place) part = content->count - place;
        const char *extension = fuzz_percent(random, 10) ? PICK(random, ";a", ";a=b", ";a=\"b;c\"", " ;a") : "";
        if (is_spoilt && fuzz_percent(random, 30)) {
            bytes_format(bytes, PICK(random, "%zx \r\n", "0x%zx\r\n", "%zX\n", "+%zx\r\n", "-%zx\r\n", " %zx\r\n",
                                     "000000000000%zx\r\n", "00000000000000000%zx\r\n", "%zxg\r\n", "\r\n%zx\r\n",
                                     "%zx;\x01\r\n", "%zx;a=\"\r\n", "fffffffffffffff0 %zx\r\n", "1%zx\r\n",
                                     "ffffffffffffffff%zx\r\n", "%zx\r\r\n", "7fffffffffffffff;%zx\r\n"),
                         part);
        } else if (is_spoilt && fuzz_percent(random, 5)) {
            bytes_format(bytes, "%zx;", part);
            bytes_fill(bytes, 'e', 20000);
            bytes_text(bytes, "\r\n");
        } else {
            bytes_format(bytes, fuzz_percent(random, 20) ? "%zX%s\r\n" : "%zx%s\r\n", part, extension);
        }
        bytes_add(bytes, content->data + place, part);
        bytes_text(bytes, is_spoilt && fuzz_percent(random, 20) ? PICK(random, "", "\n", "\r", "x\r\n", "\r\r\n")
                                                                : "\r\n");
        place += part;
    }
    bytes_text(bytes, is_spoilt && fuzz_percent(random, 20)
                          ? PICK(random, "00\r\n", "0", "0\n", "0;x\r\n", "", "-0\r\n", "0 \r\n", "0\r\nX: y\r\n")
                          : "0\r\n");
    add_trailers(draft, is_spoilt && fuzz_percent(random, 30));
    bytes_text(bytes, is_spoilt && fuzz_percent(random, 10) ? PICK(random, "", "\n", "\r", "\r\n\r\n") : "\r\n");
}
