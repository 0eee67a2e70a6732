/* SPDX-License-Identifier: Apache-2.0
 * cli/holder.h: locks of files and folders by flock, and the process that holds one. */
#ifndef PERP_CLI_HOLDER_H
#define PERP_CLI_HOLDER_H

#include <stdbool.h>

#include <perp/base.h>

/** Lock an open file or folder for this process and those it starts. PERP_ERR_WRITE: another
 *  process has done so, "`path`: process 4711 (perp compare quick -o r) is writing to it". A file
 *  system that has no locks is used without, and so is a device. */
perp_status holder_lock(int file, const char *path, perp_error *err);
/** Has a process locked the file or folder? Then its name goes to `name`, "process 4711 (…)". */
bool holder_find(const char *path, char *name, size_t size);

#endif
