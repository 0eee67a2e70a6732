/* SPDX-License-Identifier: Apache-2.0
 * base/file.h: files and folders that are written whole or not at all, and text from outside. */
#ifndef PERP_BASE_FILE_H
#define PERP_BASE_FILE_H

#include <stdio.h>

#include <perp/base.h>

/** A file being written beside the place it will take. */
typedef struct perp_file_out {
    FILE *f;         /**< write here */
    char *path;      /**< where it will be */
    char *temporary; /**< where it is */
} perp_file_out;

/** Open a new file beside `path`. After success, commit or abandon is owed. */
perp_status perp_file_begin(perp_file_out *o, const char *path, perp_error *err);
/** Flush, look for write errors, fsync, rename; on failure the temporary is removed and
 *  what was at the path stays. Either way `o` is released. */
perp_status perp_file_commit(perp_file_out *o, perp_error *err);
/** Close and remove the temporary. Harmless on a zeroed `o` and after commit. */
void perp_file_abandon(perp_file_out *o);

/** For libraries that write by name: the path of a new empty file beside `path`, to be freed
 *  by the caller and installed or removed. */
perp_status perp_file_temporary(char **temporary, const char *path, perp_error *err);
/** fsync + rename; removes the temporary on failure. */
perp_status perp_file_install(const char *temporary, const char *path, perp_error *err);

enum { PERP_FILE_PATH_LENGTH = 4096 };

/** Is this the name of an entry that the format itself puts into its folders? */
typedef bool (*perp_folder_owns)(const char *name);

/** PERP_OK when the path is free, or a folder with nothing but own entries, which may be
 *  replaced; "it holds x, which no WHAT has". The path ends in no slash. */
perp_status perp_folder_place(const char *path, perp_folder_owns owns, const char *what,
                              bool *there, perp_error *err);
/** A new folder beside the path, its name in `name`. */
perp_status perp_folder_beside(char *name, size_t length, const char *path,
                               const char *word, perp_error *err);
/** Rename `fresh` to the path; what was there is removed after it. */
perp_status perp_folder_install(const char *fresh, const char *path, bool there,
                                perp_folder_owns owns, perp_folder_owns owns_below,
                                perp_error *err);
/** Remove own entries, and those in folders of such a name that `owns_below` (or NULL)
 *  knows, then the folder; what is not ours stays, and so does the folder. */
void perp_folder_remove(const char *folder, perp_folder_owns owns,
                        perp_folder_owns owns_below);

/** The whole file, with a 0 after the last byte, on the heap. */
perp_status perp_file_slurp(const char *path, char **text, size_t *length,
                            perp_error *err);
/** The first bytes of a file, for detection: how many there are, at most `room`; a 0
 *  follows them, so `bytes` has room + 1. 0 for what cannot be read. */
size_t perp_file_peek(const char *path, char *bytes, size_t room);

/** A copy on the heap that is valid UTF-8, ended at the first 0: each bad byte becomes
 *  U+FFFD. NULL when there is no memory. */
char *perp_text_valid(const char *bytes, size_t length);
/** "a/b/Capsules-i100.hdf5" -> "Capsules-i100", on the heap; NULL: no memory. */
char *perp_path_stem(const char *path);
/** Does the path end so? */
bool perp_path_ends(const char *path, const char *extension);

#endif
