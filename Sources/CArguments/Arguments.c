#include "Arguments.h"

static char *none[1];
static char **arguments = none;
static int argument_count;

__attribute__((constructor(101))) static void take(int count, char **values) {
  argument_count = count;
  arguments = values;
}

char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
  *count = argument_count;
  return arguments;
}

void _swift_stdlib_overrideUnsafeArgvArgc(char **values, int count) {
  argument_count = count;
  arguments = values;
}
