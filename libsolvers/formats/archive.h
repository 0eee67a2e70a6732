/* SPDX-License-Identifier: Apache-2.0
 * formats/archive.h: a zip archive of files, read and written in memory by libzip. Private.
 * Members are read stored or deflated, and written stored with the time 1980-01-01 00:00: the
 * same members give the same bytes. */
#ifndef PERP_FORMATS_ARCHIVE_H
#define PERP_FORMATS_ARCHIVE_H

#include "formats.h"

typedef struct perp_archive perp_archive;

/** Load the source and open it; the archive borrows its bytes. PERP_ERR_FORMAT: no archive. */
perp_status perp_archive_open(perp_archive **z, perp_source *from, perp_error *err);
bool perp_archive_has(const perp_archive *z, const char *name);
/** The bytes of a member, on the heap with a 0 after them; NULL when it is missing. */
perp_status perp_archive_member(const perp_archive *z, const char *name,
                                unsigned char **bytes, size_t *size, perp_error *err);

/** An empty archive; `file` is for messages. */
perp_status perp_archive_new(perp_archive **z, const char *file, perp_error *err);
/** Append a member; takes over `bytes`, which is from malloc, or NULL: no memory. */
perp_status perp_archive_add(perp_archive *z, const char *name, unsigned char *bytes,
                             size_t size, perp_error *err);
/** Write the archive to f; the caller asks f for errors. */
perp_status perp_archive_write(perp_archive *z, FILE *f, perp_error *err);
void perp_archive_free(perp_archive *z); /* NULL is allowed */

#endif
