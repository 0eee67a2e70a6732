/* SPDX-License-Identifier: Apache-2.0
 * formats/meta.h: labels and origin of a problem as JSON. Private.
 *
 * A JSON format has them as the members "origin" and "labels" of its document, HDF5 as a
 * document in a text, and a format without room for them in a side file: NAME.meta.json beside
 * NAME.dat, which is written with it and read with it. meta_write.c describes the members. */
#ifndef PERP_FORMATS_META_H
#define PERP_FORMATS_META_H

#include <jansson.h>

#include "formats.h"

/** What a document of its own begins with. */
#define PERP_META_FORMAT "perp-meta"
enum { PERP_META_VERSION = 1 };

/** The members of another document, each with a comma behind it; nothing that is unknown. */
void perp_meta_print(FILE *f, const perp_problem *p);
/** The members of another document into a problem that has its set and neither labels nor
 *  origin. `file` serves messages. */
perp_status perp_meta_read(perp_problem *p, const json_t *root, const char *file,
                           perp_error *err);

/** A document of its own, on the heap; *text is NULL when there is nothing to write. Texts of
 *  the origin that `shared` (or NULL) has too are left out. */
perp_status perp_meta_text(char **text, const perp_problem *p, const perp_origin *shared,
                           perp_error *err);
/** Print a side file. */
void perp_meta_print_side(FILE *f, const perp_problem *p);
/** Read a document of its own; `shared` as it was written. *hash (or NULL): that of the problem
 *  that a side file belongs to. A problem without a set has no labels. */
perp_status perp_meta_parse(perp_problem *p, perp_source *from, const perp_origin *shared,
                            uint64_t *hash, perp_error *err);

/** Create the side file of `path`; the caller commits it unless side->path is NULL: p has
 *  nothing to write. */
perp_status perp_meta_side_create(perp_file_out *side, const char *path,
                                  const perp_problem *p, perp_error *err);
/** Read the side file of `path` if it is there. One that belongs to another problem, or that
 *  cannot be read, gives a note and is not used. */
perp_status perp_meta_side_read(perp_problem *p, const char *path, perp_notes *notes,
                                perp_error *err);

#endif
