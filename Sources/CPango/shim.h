#ifndef INTENTD_CPANGO_SHIM_H
#define INTENTD_CPANGO_SHIM_H

// Put only declarations here that Swift cannot express, each with its reason. There is nothing yet.
#include <pango/pangocairo.h>

#endif
