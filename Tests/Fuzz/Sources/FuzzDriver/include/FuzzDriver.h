// libFuzzer, as a library: <https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library>.

#ifndef FUZZ_DRIVER_H
#define FUZZ_DRIVER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *_Nonnull count, char *_Nullable *_Nonnull *_Nonnull arguments,
                        int (*_Nonnull test)(const uint8_t *_Nullable bytes, size_t count));

#endif
