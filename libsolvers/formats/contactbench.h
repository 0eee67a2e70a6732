/* SPDX-License-Identifier: Apache-2.0
 * formats/contactbench.h: archives of ContactBench, for the reader of npz. Private. */
#ifndef PERP_FORMATS_CONTACTBENCH_H
#define PERP_FORMATS_CONTACTBENCH_H

#include "archive.h"

/** Whether the arrays are those of ContactBench: no other problem has "mus". */
bool perp_contactbench_is(const perp_archive *archive);
/** The problem in an open archive; `file` is for messages. */
perp_status perp_contactbench_read(const perp_archive *archive, const char *file,
                                   perp_problem *p, perp_notes *notes, perp_error *err);

#endif
