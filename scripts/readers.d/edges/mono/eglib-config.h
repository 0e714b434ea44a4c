// The same of its own GLib.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#define G_BREAKPOINT() abort()
#define G_BYTE_ORDER G_LITTLE_ENDIAN
#define G_DIR_SEPARATOR '/'
#define G_DIR_SEPARATOR_S "/"
#define G_GNUC_NORETURN __attribute__((noreturn))
#define G_GNUC_PRETTY_FUNCTION __func__
#define G_GNUC_UNUSED __attribute__((unused))
#define G_GSIZE_FORMAT "zu"
#define G_HAVE_ALLOCA_H
#define G_HAVE_UNISTD_H
#define G_OS_UNIX
#define G_SEARCHPATH_SEPARATOR ':'
#define G_SEARCHPATH_SEPARATOR_S ":"
typedef pid_t GPid;
typedef size_t gsize;
typedef ptrdiff_t gssize;
