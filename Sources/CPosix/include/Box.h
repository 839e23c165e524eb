#ifndef INTENTD_BOX_H
#define INTENTD_BOX_H

// The box of a provider: what it may reach, as one flat run of bytes that can be copied anywhere.
//
// A box is made by the daemon (`cposix_box_begin`, `cposix_box_add`) and entered by the child that
// becomes the provider (`cposix_box_enter`), after its descriptors and limits are set and before
// execve. It is made of two parts of the kernel that an ordinary user may use: Landlock, for files,
// processes and TCP, and a seccomp filter, for sockets and for what Landlock does not cover. All
// capabilities are given up. Nothing in a box can be taken back, and every descendant inherits it.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

/// The things that a box lets its program do beyond the paths that are added to it.
enum cposix_box_flag {
    /// Sockets of IPv4 and IPv6, and questions to the kernel about links and routes.
    CPOSIX_BOX_NETWORK = 1,
    /// A path of the person is readable.
    ///
    /// Then the times of an open file cannot be changed: to read a file is no permission to change
    /// it. Its mode, owner and attributes cannot be changed in any box.
    CPOSIX_BOX_READS_HOME = 2,
    /// Stream sockets of the local family, each of which is connected to the box's bus and to
    /// nothing else (Bus.c says by whom).
    CPOSIX_BOX_BUS = 4,
};

/// The access that a box gives to a path and everything below it.
enum cposix_box_access {
    CPOSIX_BOX_READ = 1,
    /// Reading, and execve.
    CPOSIX_BOX_RUN = 2,
    /// Reading, writing, and making and removing files, folders, links and named pipes.
    CPOSIX_BOX_WRITE = 4,
    /// Reading and writing a device such as /dev/null.
    CPOSIX_BOX_DEVICE = 8,
    /// The socket of the box's bus, for CPOSIX_BOX_BUS; no access to the path.
    CPOSIX_BOX_BUS_SOCKET = 16,
    /// Beside one of the others: the path gives nothing if a part of it is a symbolic link.
    ///
    /// For paths that a program in some box may replace: a link there leads where it likes.
    CPOSIX_BOX_NO_LINKS = 32,
};

/// The most bytes of a box; as many paths fit as a person can read.
enum { CPOSIX_BOX_BYTES_MAX = 64 * 1024 };

/// Begins a box in `bytes`, which has room for `capacity` bytes and is aligned for a pointer.
///
/// `landlock` is what `cposix_box_landlock` returned. -EINVAL if there is too little room.
int32_t cposix_box_begin(void *_Nonnull bytes, size_t capacity, uint32_t flags, int32_t landlock);

/// Adds a path to a box; one that is not there when the box is entered is passed over.
///
/// -ENOSPC if there is no room for it, -EINVAL if it is not absolute.
int32_t cposix_box_add(void *_Nonnull bytes, size_t capacity, const char *_Nonnull path,
                       uint32_t access);

/// The number of bytes that a box takes, with all that was added.
size_t cposix_box_length(const void *_Nonnull bytes);

/// Whether the bytes are a box that `cposix_box_enter` takes.
bool cposix_box_is_whole(const void *_Nonnull bytes, size_t length);

/// The path of the box's bus, in `bytes`, which are whole; NULL: it has none.
const char *_Nullable cposix_box_bus(const void *_Nonnull bytes);

/// The version of Landlock that the kernel offers; 0: none.
int32_t cposix_box_landlock(void);

/// Enters the box that `rules` describe, `length` bytes of `cposix_box_begin` and `cposix_box_add`.
///
/// Runs in the child, between its limits and its execve, and shares the parent's memory there: raw
/// system calls only, no allocation. `rules` is aligned to 4 bytes. Returns 0 or -errno: -EINVAL
/// for bytes that are no box, -EOPNOTSUPP where the kernel has no Landlock. With CPOSIX_BOX_BUS it
/// returns the descriptor, above 2, at which the box's sockets are asked for; without somebody who
/// answers there, a program that asks waits. A child that cannot enter never runs: it may be half
/// in its box.
int32_t cposix_box_enter(const void *_Nonnull rules, uint64_t length);

/// The promises that a box was seen to keep, each found by trying to break it from inside.
enum cposix_box_promise {
    /// A private file outside can be neither read, written, cut, watched nor given another mode,
    /// and its folder not listed; nor can the mode of an open file be changed.
    CPOSIX_BOX_KEEPS_FILES = 1,
    /// A program that listens on this machine cannot be reached over IP.
    CPOSIX_BOX_KEEPS_NETWORK = 2,
    /// A program that listens at a path cannot be reached.
    CPOSIX_BOX_KEEPS_SOCKETS = 4,
    /// Another process of the person can be neither read nor given a signal, also by way of a file.
    CPOSIX_BOX_KEEPS_PROCESSES = 8,
    /// The program can work at all: write in its own folder, and read the system.
    CPOSIX_BOX_WORKS = 16,
    /// It has no capabilities, and no program gives it any.
    CPOSIX_BOX_KEEPS_PRIVILEGES = 32,
};

/// Starts a short-lived child in the box, lets it try everything that the box forbids, and returns
/// the promises that held, as bits of `enum cposix_box_promise`; -errno if the child could not be
/// tried, and 0 if it could not enter the box.
///
/// `outside` is a folder of the person that the box does not have, `inside` one that it may write
/// to; the function makes and removes files named `box-probe` there. The box has no network and no
/// bus. Waits for the child, for a millisecond or two.
int32_t cposix_box_try(const void *_Nonnull bytes, size_t length, const char *_Nonnull outside,
                       const char *_Nonnull inside);

#endif
