/* SPDX-License-Identifier: Apache-2.0
 * base/memory.h: memory that a library needed and did not get.
 *
 * Some libraries do not report it: jansson prints a document without a quotation mark, HDF5 says
 * that a dataset is missing. Where such a failure is seen, it is noted. A file is not installed, and
 * a document not printed, while a failure is noted. One note per process. */
#ifndef PERP_BASE_MEMORY_H
#define PERP_BASE_MEMORY_H

#include <perp/base.h>

/** Note that an allocation has failed. */
void perp_memory_miss(void);
/** Whether one is noted. */
bool perp_memory_missed(void);
/** Forget it: a new piece of work begins, and what the old one made is not used. */
void perp_memory_forget(void);

#endif
