// SHA-1 (RFC 3174) and base64 (RFC 4648) for the WebSocket handshake.

#include "sha1.h"

#include <stdint.h>
#include <string.h>

static uint32_t rotate(uint32_t word, int count) { return word << count | word >> (32 - count); }

static void add_block(uint32_t state[5], const uint8_t *block) {
    uint32_t words[80];
    for (int index = 0; index < 16; index++)
        words[index] = (uint32_t)block[4 * index] << 24 | (uint32_t)block[4 * index + 1] << 16 |
                       (uint32_t)block[4 * index + 2] << 8 | block[4 * index + 3];
    for (int index = 16; index < 80; index++)
        words[index] = rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int index = 0; index < 80; index++) {
        uint32_t choice = index < 20   ? (b & c) | (~b & d)
                          : index < 40 ? b ^ c ^ d
                          : index < 60 ? (b & c) | (b & d) | (c & d)
                                       : b ^ c ^ d;
        static const uint32_t constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint32_t next = rotate(a, 5) + choice + e + words[index] + constants[index / 20];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void sha1_base64(const char *text, char encoded[29]) {
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t blocks[192] = {0};
    size_t count = strlen(text);
    if (count > sizeof blocks - 65) count = sizeof blocks - 65;
    memcpy(blocks, text, count);
    blocks[count] = 0x80;
    size_t size = (count + 8) / 64 * 64 + 64;
    blocks[size - 2] = (uint8_t)(count * 8 >> 8);
    blocks[size - 1] = (uint8_t)(count * 8);
    for (size_t place = 0; place < size; place += 64) add_block(state, blocks + place);
    uint8_t digest[21] = {0};
    for (int index = 0; index < 20; index++) digest[index] = (uint8_t)(state[index / 4] >> (24 - 8 * (index % 4)));
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int group = 0; group < 7; group++) {
        uint32_t bits = (uint32_t)digest[3 * group] << 16 | (uint32_t)digest[3 * group + 1] << 8 | digest[3 * group + 2];
        for (int place = 0; place < 4; place++) encoded[4 * group + place] = letters[bits >> (18 - 6 * place) & 63];
    }
    encoded[27] = '=';
    encoded[28] = 0;
}
