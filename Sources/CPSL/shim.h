// libpsl, which knows Mozilla's list of public suffixes. libcurl itself is linked with it on Debian.

#ifndef CPSL_SHIM_H
#define CPSL_SHIM_H

#include <libpsl.h>

#if !defined(PSL_VERSION_NUMBER) || PSL_VERSION_NUMBER < 0x001000
#error "CurlNetworking needs libpsl 0.16 or newer"
#endif

#endif
