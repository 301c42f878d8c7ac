#include "bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t fuzz_next(fuzz_random *random) {
    uint64_t value = random->state += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

uint32_t fuzz_below(fuzz_random *random, uint32_t count) {
    return (uint32_t)((fuzz_next(random) >> 32) * count >> 32);
}

bool fuzz_percent(fuzz_random *random, uint32_t percent) {
    return fuzz_below(random, 100) < percent;
}

uint64_t fuzz_mix(uint64_t first, uint64_t second) {
    fuzz_random random = {first};
    random.state = fuzz_next(&random) ^ second;
    return fuzz_next(&random);
}

static void reserve(fuzz_bytes *bytes, size_t count) {
    if (bytes->capacity - bytes->count >= count) return;
    size_t capacity = bytes->capacity ? bytes->capacity : 512;
    while (capacity - bytes->count < count) capacity *= 2;
    bytes->data = realloc(bytes->data, capacity);
    if (!bytes->data) abort();
    bytes->capacity = capacity;
}

void bytes_add(fuzz_bytes *bytes, const void *data, size_t count) {
    if (count == 0) return;
    reserve(bytes, count);
    memcpy(bytes->data + bytes->count, data, count);
    bytes->count += count;
}

void bytes_text(fuzz_bytes *bytes, const char *text) { bytes_add(bytes, text, strlen(text)); }

void bytes_format(fuzz_bytes *bytes, const char *format, ...) {
    char text[1024];
    va_list values;
    va_start(values, format);
    int count = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (count < 0 || (size_t)count >= sizeof text) abort();
    bytes_add(bytes, text, (size_t)count);
}

void bytes_fill(fuzz_bytes *bytes, uint8_t byte, size_t count) {
    if (count == 0) return;
    reserve(bytes, count);
    memset(bytes->data + bytes->count, byte, count);
    bytes->count += count;
}

void bytes_replace(fuzz_bytes *bytes, size_t place, size_t removed, const void *data,
                   size_t count) {
    if (place > bytes->count) place = bytes->count;
    if (removed > bytes->count - place) removed = bytes->count - place;
    fuzz_bytes copy = {0};
    // `data` may point into the bytes themselves.
    bytes_add(&copy, data, count);
    reserve(bytes, count);
    memmove(bytes->data + place + count, bytes->data + place + removed,
            bytes->count - place - removed);
    if (count > 0) memcpy(bytes->data + place, copy.data, count);
    bytes->count += count - removed;
    bytes_free(&copy);
}

void bytes_free(fuzz_bytes *bytes) {
    free(bytes->data);
    *bytes = (fuzz_bytes){0};
}
