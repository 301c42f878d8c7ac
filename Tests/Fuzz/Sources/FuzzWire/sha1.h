#ifndef FUZZ_SHA1_H
#define FUZZ_SHA1_H

// The digest of a text of up to 127 bytes, in base64.
void sha1_base64(const char *text, char encoded[29]);

#endif
