// What Mono's configure finds on 64-bit Linux, as far as mprof-report needs it.
#pragma once
#define HAVE_MALLOC_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRERROR_R 1
#define HAVE_STRING_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_ZLIB 1
#define HAVE_UNISTD_H 1
#define HAVE_ZLIB 1
#define HOST_AMD64 1
#define HOST_LINUX 1
#define SIZEOF_REGISTER 8
#define SIZEOF_VOID_P 8
#define TARGET_AMD64 1
#define TARGET_LINUX 1
#define TARGET_SIZEOF_VOID_P 8
