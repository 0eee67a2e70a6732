/* SPDX-License-Identifier: Apache-2.0
 * base/memory.h: memory that a library needed and did not get, and streams that tell.
 *
 * Some libraries do not report it: jansson prints a document without a quotation mark, HDF5 says
 * that a dataset is missing. Where such a failure is seen, it is noted. A file is not installed, and
 * a document not printed, while a failure is noted. The notes are those of the process. */
#ifndef PERP_BASE_MEMORY_H
#define PERP_BASE_MEMORY_H

#include <stdio.h>

#include <perp/base.h>

/** Note that an allocation has failed. */
void perp_memory_miss(void);
/** Whether one is noted. */
bool perp_memory_missed(void);
/** So many of those that are noted are told by an error, and nothing is made of what they spoilt. */
void perp_memory_tell(size_t count);
/** A call that may fail by itself begins: how many are noted. */
size_t perp_memory_begin(void);
/** It ends. What was noted since is told by its error and let go, so that it spoils no later call: the
 *  status becomes PERP_ERR_MEMORY, and `what` names the file or thing where there was no error before.
 *  The caller frees what it has made. Notes of another thread that came meanwhile count as well. */
perp_status perp_memory_end(size_t begun, perp_status status, const char *what,
                            perp_error *err);
/** Forget all: a new piece of work begins, and what the old one made is not used. */
void perp_memory_forget(void);

/** A stream into memory, in place of open_memstream(3), whose errors are lost: what it cannot store it
 *  leaves out, and its fclose succeeds without a text. Here fclose fails, and *text is NULL, on
 *  systems with streams of own calls (base/system.h). After
 *  fflush or fclose *text holds *length bytes and a 0; free() releases it. NULL: no memory. */
FILE *perp_memory_stream(char **text, size_t *length);

#endif
