/* SPDX-License-Identifier: Apache-2.0
 * base/file_target.h: where a written file ends up, and its temporary file. Private to file.c. */
#ifndef PERP_FILE_TARGET_H
#define PERP_FILE_TARGET_H

#include "base/file.h"

/** Fill `target` and `special` from `path`. PERP_ERR_WRITE: a folder, a ring of links, or a
 *  socket. */
perp_status perp_file_target(perp_file_out *o, perp_error *err);
/** Create the temporary file: next to the target, or, for a device or FIFO, in the folder of temporary files.
 *  Mode and owner are those of the file that it will replace. */
perp_status perp_file_temporary(perp_file_out *o, int *fd, perp_error *err);

/** Room of the name of this host in the names of temporary files. */
enum { PERP_FILE_HOST = 32 };
/** The name of this host, fit for the name of a file. */
void perp_file_host(char host[PERP_FILE_HOST]);
/** Is `name` "BASE`mark`HOST-PID-K" of a process on this host that is dead? */
bool perp_file_is_left(const char *name, const char *base, const char *mark,
                       const char *host);
/** Length of the folder part of a path, its '/' included. */
size_t perp_file_folder(const char *path);

#endif
