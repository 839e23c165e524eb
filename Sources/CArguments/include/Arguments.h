#ifndef INTENTD_ARGUMENTS_H
#define INTENTD_ARGUMENTS_H

// The two functions that Swift's runtime asks for the arguments of the program.
//
// The runtime's own read all of /proc/self/maps in front of main(), to find the arguments on the
// stack: a program of forty libraries has a map of 25 KB, and a twentieth of the time of a short run
// is spent with it. glibc hands the arguments to each constructor of a program, so these do not
// search. They take the place of the runtime's in a program that has the runtime in itself
// (docs/decisions/0042); elsewhere its own are used.

// Returns the arguments, and their number in *count.
char **_swift_stdlib_getUnsafeArgvArgc(int *count);

// Takes others in their place.
void _swift_stdlib_overrideUnsafeArgvArgc(char **values, int count);

#endif
