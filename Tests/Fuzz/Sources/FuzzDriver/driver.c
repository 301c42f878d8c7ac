#include "FuzzDriver.h"

// libFuzzer's own `main` refers to this function; the program has its own `main`.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    (void)bytes;
    (void)count;
    return -1;
}
