/* SPDX-License-Identifier: Apache-2.0
 * base/memory.h: streams into memory. */
#ifndef PERP_BASE_MEMORY_H
#define PERP_BASE_MEMORY_H

#include <stdio.h>

#include <perp/base.h>

/** A stream into memory, in place of open_memstream(3), whose errors are lost: what it cannot store it
 *  leaves out, and its fclose succeeds without a text. Here fclose fails, and *text is NULL, on
 *  systems with streams of own calls (base/system.h). After
 *  fflush or fclose *text holds *length bytes and a 0; free() releases it. NULL: no memory. */
FILE *perp_memory_stream(char **text, size_t *length);

#endif
