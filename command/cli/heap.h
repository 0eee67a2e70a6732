/* SPDX-License-Identifier: Apache-2.0
 * cli/heap.h: how a program of ours keeps its memory. */
#ifndef PERP_CLI_HEAP_H
#define PERP_CLI_HEAP_H

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/** Each solution takes some megabytes and gives them back. Left alone, the C library hands
 *  them to the system each time, and each page costs a fault when it is touched again: a
 *  sixth of a step of a thousand bodies. Called once, by main. */
static inline void heap_retain(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most there may be */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

#endif
