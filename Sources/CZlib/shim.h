#ifndef INTENTD_CZLIB_SHIM_H
#define INTENTD_CZLIB_SHIM_H

// Put only declarations here that Swift cannot express, each with its reason. There is nothing yet.
#include <zlib.h>

#endif
