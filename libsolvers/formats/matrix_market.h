/* SPDX-License-Identifier: Apache-2.0
 * formats/matrix_market.h: what the files of the matrix-market format share. Private. */
#ifndef PERP_FORMATS_MATRIX_MARKET_H
#define PERP_FORMATS_MATRIX_MARKET_H

#include "mtx.h"
#include "sets.h"

/** "folder/name". */
perp_status perp_folder_path(char path[PERP_FILE_PATH_LENGTH], const char *folder,
                             const char *name, perp_error *err);

/** Where the set of a folder comes from. */
typedef struct perp_folder_sets {
    const char *folder, *json;
    const json_t *sets; /**< of problem.json, or NULL */
    const char *kind;   /**< or NULL: by the files that are there */
    size_t n;
    size_t free; /**< FREE rows at the end: the equalities of a global problem */
} perp_folder_sets;

perp_status perp_folder_set(perp_set **set, const perp_folder_sets *from,
                            perp_error *err);

perp_status perp_folder_write(const char *path, const perp_problem *p, const char *kind,
                              perp_error *err);

#endif
