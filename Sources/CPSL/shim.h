// libpsl, which contains Mozilla's Public Suffix List. Debian's libcurl is linked with it.

#ifndef CPSL_SHIM_H
#define CPSL_SHIM_H

#include <libpsl.h>

#if !defined(PSL_VERSION_NUMBER) || PSL_VERSION_NUMBER < 0x001000
#error "CurlNetworking needs libpsl 0.16 or newer"
#endif

#endif
