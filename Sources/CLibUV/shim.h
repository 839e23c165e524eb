#ifndef INTENTD_CLIBUV_SHIM_H
#define INTENTD_CLIBUV_SHIM_H

// Put only declarations here that Swift cannot express, each with its reason. Do not define
// _GNU_SOURCE: it changes the system headers for this module alone and breaks builds that import
// Glibc beside it.
#include <uv.h>

#if UV_VERSION_HEX < 0x012C02
#error "libuv 1.44.2 or newer is needed (apt install libuv1-dev)"
#endif

#endif
