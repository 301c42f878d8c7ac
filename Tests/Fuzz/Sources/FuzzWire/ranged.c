// Resumed downloads (RFC 9110, section 14): an entity in parts, real or claimed.
//
// The bytes always match the fields: faults are visible in the fields. A download that succeeds is
// therefore one version of the entity, complete.

#include <stdio.h>
#include <string.h>

#include "script.h"

void fuzz_entity(const fuzz_request *request, uint32_t version, fuzz_bytes *entity) {
    fuzz_random random = {fuzz_mix(request->seed, 0xe5717 + version + ((uint64_t)request->exchange << 32))};
    uint32_t count = fuzz_percent(&random, 90) ? 1 + fuzz_below(&random, 40000) : 1 + fuzz_below(&random, 600000);
    bytes_format(entity, "[%016llx-%u version %u]", (unsigned long long)request->seed, request->exchange, version);
    for (uint32_t left = count / 8; left > 0; left--) {
        uint64_t part = fuzz_next(&random);
        bytes_add(entity, &part, sizeof part);
    }
}

static void add_validators(const fuzz_request *request, uint32_t version, fuzz_bytes *head) {
    // The same validators for all responses of a version.
    fuzz_random random = {fuzz_mix(request->seed, 0x7a95 + request->exchange)};
    uint32_t kind = fuzz_below(&random, 10);
    if (kind != 9) bytes_format(head, "ETag: %s\"v%u\"\r\n", kind == 8 ? "W/" : "", version);
    if (kind > 6) bytes_format(head, "Last-Modified: Sun, 06 Nov 1994 08:49:3%u GMT\r\n", version);
    if (kind == 6) bytes_text(head, "Date: Sun, 06 Nov 2022 08:49:37 GMT\r\n");
}

static void add_whole(const fuzz_request *request, fuzz_random *random, uint32_t version, struct script *script) {
    fuzz_bytes entity = {0};
    fuzz_entity(request, version, &entity);
    bytes_text(&script->bytes, "HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\n");
    add_validators(request, version, &script->bytes);
    bytes_format(&script->bytes, "Content-Length: %zu\r\n\r\n", entity.count);
    script->message_end = script->bytes.count + entity.count;
    bytes_add(&script->bytes, entity.data, entity.count);
    if (fuzz_percent(random, request->range_start < 0 ? 85 : 20))
        script->bytes.count -= 1 + fuzz_below(random, (uint32_t)entity.count);
    bytes_free(&entity);
}

static void add_part(const fuzz_request *request, fuzz_random *random, struct script *script) {
    uint32_t fault = fuzz_percent(random, 50) ? 0 : 1 + fuzz_below(random, 8);
    uint32_t version = fault == 1 ? 2 : 1;
    fuzz_bytes entity = {0};
    fuzz_entity(request, version, &entity);
    uint64_t size = entity.count, start = (uint64_t)request->range_start;
    if (fault == 2) start = fuzz_below(random, (uint32_t)size);
    if (start >= size) start = size - 1;
    uint64_t end = size;
    // Fewer bytes than requested; `Content-Range` says so for fault 3, and not for fault 4.
    if (fault == 3 || fault == 4) end -= fuzz_below(random, (uint32_t)(size - start));
    char range[160];
    snprintf(range, sizeof range, "bytes %llu-%llu/%llu", (unsigned long long)start,
             (unsigned long long)(fault == 4 ? size : end) - 1, (unsigned long long)size);
    if (fault == 5)
        snprintf(range, sizeof range,
                 PICK(random, "bytes %llu-9223372036854775807/0", "bytes %llu-5/10", "bytes %llu-18446744073709551615/*",
                      "items %llu-9/10", "bytes=%llu-9/10", "bytes */%llu", "bytes %llu-", "%llu", "bytes %llu-1/0",
                      "bytes %llu-99999999/5"),
                 (unsigned long long)start);
    if (fault == 6)
        snprintf(range, sizeof range, "bytes %llu-%llu/*", (unsigned long long)start, (unsigned long long)end - 1);
    fuzz_bytes *bytes = &script->bytes;
    bytes_text(bytes, "HTTP/1.1 206 Partial Content\r\n");
    add_validators(request, version, bytes);
    if (fault == 7)
        bytes_text(bytes, "Content-Type: multipart/byteranges; boundary=x\r\n");
    else if (fault != 8 || fuzz_percent(random, 50))
        bytes_format(bytes, "Content-Range: %s\r\n", range);
    bytes_format(bytes, "Content-Length: %llu\r\n\r\n", (unsigned long long)(end - start));
    script->message_end = bytes->count + (size_t)(end - start);
    bytes_add(bytes, entity.data + start, (size_t)(end - start));
    if (fuzz_percent(random, 30)) bytes->count -= fuzz_below(random, (uint32_t)(end - start) + 1);
    bytes_free(&entity);
}

void ranged_make(const fuzz_request *request, struct script *script) {
    fuzz_random random = {fuzz_mix(request->seed, (uint64_t)request->range_start ^ (uint64_t)request->exchange << 48)};
    *script = (struct script){.cuts = {fuzz_next(&random)}};
    uint32_t choice = fuzz_below(&random, 100);
    if (request->range_start < 0) {
        add_whole(request, &random, 1, script);
    } else if (choice < 75) {
        add_part(request, &random, script);
    } else if (choice < 88) {
        add_whole(request, &random, choice < 82 ? 1 : 2, script);
    } else {
        bytes_text(&script->bytes, PICK(&random,
                                        "HTTP/1.1 416 x\r\nContent-Range: bytes */7\r\nContent-Length: 3\r\n\r\n416",
                                        "HTTP/1.1 416 x\r\nContent-Range: bytes 5-4/3\r\nContent-Length: 0\r\n\r\n",
                                        "HTTP/1.1 416 x\r\nConnection: close\r\n\r\n416", "HTTP/1.1 304 x\r\n\r\n",
                                        "HTTP/1.1 412 x\r\nContent-Length: 3\r\n\r\n412", "HTTP/1.1 500 x\r\n\r\n500",
                                        "HTTP/1.1 204 x\r\n\r\n", "HTTP/1.1 206 x\r\nContent-Length: 0\r\n\r\n", ""));
        script->message_end = script->bytes.count;
        script->ending = CLOSES;
    }
    if (script->bytes.count < script->message_end) script->ending = fuzz_percent(&random, 70) ? CLOSES : RESETS;
    script->cutting = fuzz_percent(&random, 80) ? IN_ONE : IN_PARTS;
}
