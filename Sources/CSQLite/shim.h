#ifndef INTENTD_CSQLITE_SHIM_H
#define INTENTD_CSQLITE_SHIM_H

// Only what Swift cannot express belongs here, each with its reason. There is nothing yet.
#include <sqlite3.h>

#if SQLITE_VERSION_NUMBER < 3037000
#error "SQLite 3.37 or newer is needed for STRICT tables (apt install libsqlite3-dev)"
#endif

#endif
