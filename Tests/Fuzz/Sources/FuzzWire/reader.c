#include "reader.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { most_fields = 500, most_head_bytes = 60000, most_informational = 50 };

struct reader {
    const uint8_t *bytes;
    size_t count, place;
    struct message *message;
};

struct line {
    const uint8_t *text;
    size_t count;
};

struct head {
    int minor_version;
    bool has_length, has_bad_length, has_coding, is_chunked, has_odd_coding, is_unclear;
    uint64_t length;
    size_t field_count;
};

static void loosen(struct reader *reader, const char *reason) {
    if (reader->message->is_strict) reader->message->reason = reason;
    reader->message->is_strict = false;
}

static bool end(struct reader *reader, enum reading reading, const char *reason) {
    loosen(reader, reason);
    reader->message->reading = reading;
    reader->message->reason = reason;
    return false;
}

static bool is_token(uint8_t byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z') || (byte && strchr("!#$%&'*+-.^_`|~", byte));
}

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\t'; }

// Reads a line without its end; false at the end of the bytes.
static bool next_line(struct reader *reader, struct line *line) {
    const uint8_t *start = reader->bytes + reader->place;
    const uint8_t *feed = memchr(start, '\n', reader->count - reader->place);
    if (!feed) return end(reader, READ_TRUNCATED, "it ends within a line");
    reader->place = (size_t)(feed - reader->bytes) + 1;
    *line = (struct line){start, (size_t)(feed - start)};
    if (line->count > 0 && line->text[line->count - 1] == '\r')
        line->count--;
    else
        loosen(reader, "a line ends without CR");
    return true;
}

static bool is_named(struct line name, const char *expected) {
    return name.count == strlen(expected) &&
           strncasecmp((const char *)name.text, expected, name.count) == 0;
}

static struct line trimmed(struct line line) {
    while (line.count > 0 && is_space(line.text[0])) line.text++, line.count--;
    while (line.count > 0 && is_space(line.text[line.count - 1])) line.count--;
    return line;
}

// libcurl before 8 discards the received bytes after a line end if they begin with a null byte.
static bool is_dropped(struct line line) { return line.count > 0 && line.text[0] == 0; }

static void check_text(struct reader *reader, struct line line) {
    for (size_t index = 0; index < line.count; index++) {
        uint8_t byte = line.text[index];
        if ((byte < ' ' && byte != '\t') || byte == 0x7f) {
            loosen(reader, "a control character");
            return;
        }
    }
}

static bool read_status(struct reader *reader, struct head *head) {
    struct line line;
    if (!next_line(reader, &line)) return false;
    check_text(reader, line);
    if (line.count > most_head_bytes) loosen(reader, "a large head");
    const uint8_t *text = line.text;
    if (line.count < 5 || memcmp(text, "HTTP/", 5) != 0) {
        // Some readers skip empty lines or ignore case.
        bool is_close = line.count == 0 || is_dropped(line) || (line.count >= 4 && is_named((struct line){text, 4}, "HTTP"));
        return end(reader, is_close ? READ_UNCLEAR : READ_INVALID, "no status line");
    }
    bool is_plain = line.count >= 13 && text[5] == '1' && text[6] == '.' &&
                    (text[7] == '0' || text[7] == '1') && text[8] == ' ' && text[12] == ' ';
    for (size_t index = 9; index < 12 && is_plain; index++)
        is_plain = text[index] >= '0' && text[index] <= '9';
    if (!is_plain || text[9] == '0' || text[9] > '5')
        return end(reader, READ_UNCLEAR, "an odd status line");
    head->minor_version = text[7] - '0';
    reader->message->status = (text[9] - '0') * 100 + (text[10] - '0') * 10 + (text[11] - '0');
    return true;
}

static void read_lengths(struct head *head, struct line value) {
    size_t index = 0;
    bool has_one = false;
    // A bare CR may be read as a space (RFC 9112, section 2.2).
    if (memchr(value.text, '\r', value.count)) head->is_unclear = true;
    while (index < value.count) {
        if (value.text[index] == ',' || is_space(value.text[index])) {
            index++;
            continue;
        }
        uint64_t number = 0;
        size_t digits = 0;
        for (; index < value.count && value.text[index] >= '0' && value.text[index] <= '9';
             index++, digits++) {
            if (number > (INT64_MAX - 9) / 10) head->has_bad_length = true;
            number = number * 10 + (value.text[index] - '0');
        }
        size_t next = index;
        while (next < value.count && is_space(value.text[next])) next++;
        if (digits == 0 || (next < value.count && value.text[next] != ',')) {
            head->has_bad_length = true;
            return;
        }
        if (head->has_length && head->length != number) head->has_bad_length = true;
        head->has_length = has_one = true;
        head->length = number;
    }
    // An empty value means no length, or an invalid one.
    if (!has_one) head->is_unclear = true;
}

static void keep(char *kept, size_t capacity, struct line value) {
    kept[0] = 0;
    if (value.count >= capacity || memchr(value.text, 0, value.count)) return;
    memcpy(kept, value.text, value.count);
    kept[value.count] = 0;
}

static void read_field(struct reader *reader, struct head *head, struct line name,
                       struct line value) {
    if (is_named(name, "content-length")) {
        if (head->has_length) loosen(reader, "two lengths");
        if (memchr(value.text, ',', value.count)) loosen(reader, "a list of lengths");
        read_lengths(head, value);
    } else if (is_named(name, "transfer-encoding")) {
        if (head->has_coding || !is_named(value, "chunked")) head->has_odd_coding = true;
        head->has_coding = head->is_chunked = true;
    } else if (is_named(name, "content-encoding")) {
        reader->message->encoding_count++;
        keep(reader->message->encoding, sizeof reader->message->encoding, value);
    } else if (is_named(name, "location")) {
        reader->message->location_count++;
        keep(reader->message->location, sizeof reader->message->location, value);
    }
}

static bool decides(struct line name) {
    name = trimmed(name);
    return is_named(name, "content-length") || is_named(name, "transfer-encoding") ||
           is_named(name, "content-encoding") || is_named(name, "location");
}

// Reads the fields of a head, or trailers, including the empty line after them.
static bool read_fields(struct reader *reader, struct head *head, bool is_trailer) {
    bool decided = false;
    size_t start = reader->place;
    for (;;) {
        struct line line;
        if (!next_line(reader, &line)) return false;
        if (line.count == 0) return true;
        if (is_dropped(line) && !is_trailer) return end(reader, READ_UNCLEAR, "a line that begins with a null byte");
        check_text(reader, line);
        if (++head->field_count > most_fields || reader->place - start > most_head_bytes)
            loosen(reader, "a large head");
        if (is_space(line.text[0])) {
            if (head->field_count == 1 && !is_trailer)
                return end(reader, READ_INVALID, "a first field line that is folded");
            loosen(reader, "a folded line");
            head->is_unclear |= decided && !is_trailer;
            continue;
        }
        const uint8_t *colon = memchr(line.text, ':', line.count);
        struct line name = {line.text, colon ? (size_t)(colon - line.text) : line.count};
        bool is_good = colon && name.count > 0;
        for (size_t index = 0; index < name.count && is_good; index++)
            is_good = is_token(name.text[index]);
        decided = decides(name);
        if (!is_good) {
            loosen(reader, "a field without a proper name");
            head->is_unclear |= decided && !is_trailer;
            // At a head in the trailers some readers start a new response.
            if (name.count >= 5 && memcmp(name.text, "HTTP/", 5) == 0)
                return end(reader, READ_UNCLEAR, "a status line among fields");
            continue;
        }
        struct line value = {colon + 1, line.count - name.count - 1};
        if (!is_trailer) read_field(reader, head, name, trimmed(value));
    }
}

static int hex_digit(uint8_t byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static bool read_chunk_size(struct reader *reader, uint64_t *size) {
    struct line line;
    size_t start = reader->place;
    if (!next_line(reader, &line)) {
        // A line that doesn't begin with a digit has no size, even if it is truncated.
        if (start < reader->count && hex_digit(reader->bytes[start]) < 0)
            return end(reader, READ_INVALID, "a chunk without a size");
        return false;
    }
    check_text(reader, line);
    if (line.count > 1000) loosen(reader, "a long chunk extension");
    *size = 0;
    size_t index = 0;
    for (; index < line.count && hex_digit(line.text[index]) >= 0; index++) {
        if (*size > INT64_MAX >> 4) return end(reader, READ_INVALID, "a chunk size that is too large");
        *size = *size << 4 | (uint64_t)hex_digit(line.text[index]);
    }
    if (index == 0) return end(reader, READ_INVALID, "a chunk without a size");
    if (index > 16) loosen(reader, "a chunk size of many digits");
    if (index < line.count && line.text[index] != ';') loosen(reader, "an odd chunk size");
    return true;
}

static bool read_chunks(struct reader *reader) {
    for (;;) {
        uint64_t size;
        if (!read_chunk_size(reader, &size)) return false;
        if (size == 0) break;
        if (size > reader->count - reader->place)
            return end(reader, READ_TRUNCATED, "it ends within a chunk");
        bytes_add(&reader->message->body, reader->bytes + reader->place, size);
        reader->place += size;
        size_t returns = 0;
        while (reader->place < reader->count && reader->bytes[reader->place] == '\r') reader->place++, returns++;
        if (reader->place == reader->count) return end(reader, READ_TRUNCATED, "it ends behind a chunk");
        if (reader->bytes[reader->place] != '\n')
            return end(reader, READ_INVALID, "a chunk is longer than its size");
        if (returns != 1) loosen(reader, "a chunk ends with another line end than CR LF");
        reader->place++;
    }
    struct head trailer = {0};
    if (read_fields(reader, &trailer, true)) return true;
    if (reader->message->reading != READ_TRUNCATED) return false;
    // The last chunk completes the body (RFC 9112, section 8).
    reader->message->reading = READ_WHOLE;
    reader->message->reason = "it ends within the trailers";
    reader->place = reader->count;
    return true;
}

static bool read_body(struct reader *reader, struct head *head, bool is_head) {
    struct message *message = reader->message;
    bool has_none = is_head || message->status == 204 || message->status == 304;
    if (head->has_coding && head->has_length) loosen(reader, "chunks and a length");
    if (head->has_coding && head->minor_version == 0) head->has_odd_coding = true;
    if (has_none) {
        if (head->has_bad_length || head->has_odd_coding || head->is_unclear)
            loosen(reader, "an odd length of no body");
        if (message->status == 204 && (head->has_length || head->has_coding))
            loosen(reader, "a length with 204");
        return true;
    }
    if (head->is_unclear || head->has_odd_coding)
        return end(reader, READ_UNCLEAR, "an odd length or transfer coding");
    if (head->is_chunked) {
        if (head->has_bad_length) return end(reader, READ_UNCLEAR, "chunks and a bad length");
        return read_chunks(reader);
    }
    if (head->has_bad_length) return end(reader, READ_INVALID, "a bad length");
    size_t left = reader->count - reader->place;
    if (head->has_length) {
        if (head->length > left) return end(reader, READ_TRUNCATED, "it is shorter than its length");
        left = (size_t)head->length;
    } else {
        message->ends_with_connection = true;
    }
    bytes_add(&message->body, reader->bytes + reader->place, left);
    reader->place += left;
    return true;
}

void read_message(const uint8_t *bytes, size_t count, bool is_head, struct message *message) {
    *message = (struct message){.reading = READ_WHOLE, .is_strict = true, .reason = "valid"};
    struct reader reader = {bytes, count, 0, message};
    for (int informational = 0;; informational++) {
        struct head head = {0};
        if (!read_status(&reader, &head) || !read_fields(&reader, &head, false)) break;
        if (message->status == 101) {
            end(&reader, READ_UNCLEAR, "a protocol that wasn't asked for");
            break;
        }
        if (message->status >= 200) {
            message->has_head = true;
            read_body(&reader, &head, is_head);
            break;
        }
        if (informational == most_informational) loosen(&reader, "many informational responses");
        if (head.has_length || head.has_coding || head.is_unclear)
            loosen(&reader, "an informational response with a length");
        message->encoding_count = message->location_count = 0;
    }
    message->end = reader.place;
}

void message_free(struct message *message) { bytes_free(&message->body); }
