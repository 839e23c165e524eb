#ifndef INTENTD_CXATTR_SHIM_H
#define INTENTD_CXATTR_SHIM_H

// Only what Swift cannot express belongs here, each with its reason. There is nothing yet.
#include <sys/xattr.h>

#endif
