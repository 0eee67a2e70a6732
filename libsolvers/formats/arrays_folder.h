/* SPDX-License-Identifier: Apache-2.0
 * formats/arrays_folder.h: a problem as a folder with one file per array, NAME.EXTENSION, and
 * problem.json, the description. Private. */
#ifndef PERP_FORMATS_ARRAYS_FOLDER_H
#define PERP_FORMATS_ARRAYS_FOLDER_H

#include "arrays.h"

/** The folder of a source: itself, or where it lies when it is the file of A or M:
 *  "x/A.csv" -> "x". Empty when it is neither. */
void perp_arrays_folder_of(char folder[PERP_FILE_PATH_LENGTH], const perp_source *from,
                           const char *extension);
/** "folder/mu.mtx", "folder/problem.json". */
perp_status perp_arrays_folder_path(char path[PERP_FILE_PATH_LENGTH], const char *folder,
                                    const char *name, const char *extension,
                                    perp_error *err);
bool perp_arrays_folder_has(const char *folder, const char *name, const char *extension);
/** The same for messages. */
void perp_arrays_folder_place(const char *folder, const char *name, const char *extension,
                              char place[PERP_ARRAY_PLACE]);
/** The description; *root NULL: there is none. */
perp_status perp_arrays_folder_describe(const char *folder, json_t **root,
                                        perp_error *err);
/** Whether a file of this name is one that the format writes. */
bool perp_arrays_folder_owns(const char *file, const char *extension);

/** Write p to a new folder by the functions of `out`, whose context is its path, and put it
 *  into the place of an older one. `describe` is set here. */
perp_status perp_arrays_folder_write(perp_arrays_out *out, const char *path,
                                     const perp_problem *p, const char *kind,
                                     perp_folder_owns owns, perp_error *err);

#endif
