#ifndef INTENTD_CLIBYAML_SHIM_H
#define INTENTD_CLIBYAML_SHIM_H

// Only what Swift cannot express belongs here, each with its reason. There is nothing yet.
#include <yaml.h>

#endif
