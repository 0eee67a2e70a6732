/* SPDX-License-Identifier: Apache-2.0
 * base/file.h: bytes from a file or from memory, files and folders that are written whole or
 * not at all, and text made valid. */
#ifndef PERP_BASE_FILE_H
#define PERP_BASE_FILE_H

#include <stdio.h>

#include <perp/base.h>

/** What a reader reads: a file, or bytes in memory. */
typedef struct perp_source {
    const char *name;  /**< the path of the file; for memory a name for messages */
    const char *bytes; /**< all of it: given, or read by perp_source_load */
    size_t size;
    bool memory; /**< the bytes are the caller's; there is no file */
    const char
        *head; /**< the first bytes of the file, read once for all formats, or NULL */
    size_t head_size;
} perp_source;

/** Read the whole file into `bytes`, with a 0 after the last one; memory stays as it is. A mark of
 *  UTF-8 (BOM) at the start is skipped, a text in UTF-16 is refused. */
perp_status perp_source_load(perp_source *from, perp_error *err);
/** PERP_ERR_FORMAT for the start of a text in UTF-16. */
perp_status perp_source_check(const char *bytes, size_t size, const char *name,
                              perp_error *err);
/** Free what perp_source_load read; allowed on a zeroed source. */
void perp_source_release(perp_source *from);
/** The first bytes, for detection: returns how many there are, at most `room`. A 0 follows
 *  them, so `bytes` has room + 1. 0 for what cannot be read. */
size_t perp_source_peek(const perp_source *from, char *bytes, size_t room);
enum { PERP_SOURCE_HEAD = 4096 }; /* bytes that a format may look at */

/** Read the head of a regular file into `bytes`, of PERP_SOURCE_HEAD + 1, to which the source then
 *  points; memory and folders stay as they are. */
perp_status perp_source_head(perp_source *from, char *bytes, perp_error *err);
/** A source is a regular file or memory, not a folder. */
bool perp_source_is_folder(const perp_source *from);

/** The whole file, with a 0 after the last byte, on the heap. */
perp_status perp_file_slurp(const char *path, char **text, size_t *length,
                            perp_error *err);

/** The same for files that should be small: reads little more than `most` bytes, and *length
 *  is beyond `most` when the file is longer. */
perp_status perp_file_slurp_most(const char *path, size_t most, char **text,
                                 size_t *length, perp_error *err);

/** A stream that reads or writes (flags of open(2)) and that a program which is started does not
 *  inherit; NULL with errno. */
FILE *perp_file_open(const char *path, int flags);

/** Whether reading lines ended before the end of the file: an error, or no memory (errno). */
bool perp_file_cut(FILE *f);

/** What a writer writes to: a new file next to the path that it will replace, or memory. */
typedef struct perp_file_out {
    FILE *f; /**< write here */
    struct perp_file_kept
        *kept;       /**< the descriptor of f and the first error of a write */
    char *path;      /**< as the caller names it, for messages */
    char *target;    /**< where the file will be: `path` behind its symbolic links */
    char *temporary; /**< where the file is until it is committed; NULL: memory */
    char *bytes;     /**< memory: what was written, valid after fflush */
    size_t size;
    bool
        standard; /**< the path is an open descriptor; the commit copies the file into it */
} perp_file_out;

/** Open a new file for `path`. After success the caller commits or abandons it. A library that
 *  writes by name may write to `temporary` instead of `f`.
 *
 *  A symbolic link stays, and its target is replaced; the new file has the mode of the replaced
 *  one. A file that may not be written is not replaced. Other hard links to it keep the old file.
 *  A folder, device, FIFO or socket is PERP_ERR_WRITE. "/dev/fd/N" and "/dev/stdout" are open
 *  descriptors, into which the commit writes. Files that dead processes left for the same target
 *  are removed. */
perp_status perp_file_create(perp_file_out *o, const char *path, perp_error *err);
/** Open a stream into memory. `o` must stay where it is. */
perp_status perp_file_create_memory(perp_file_out *o, const char *name, perp_error *err);
/** The descriptor that a path names, "/dev/fd/3" or "/dev/stdout"; -1: none. */
int perp_file_descriptor(const char *path);
/** Check for write errors, flush to the disk, rename; on failure the temporary file is removed
 *  and what was at the path stays. Releases `o` in either case. */
perp_status perp_file_commit(perp_file_out *o, perp_error *err);
/** The same for memory: hands the bytes over, to be freed by free(). */
perp_status perp_file_commit_memory(perp_file_out *o, char **bytes, size_t *size,
                                    perp_error *err);
/** Close and remove what was written; allowed on a zeroed `o` and after a commit. */
void perp_file_abandon(perp_file_out *o);

enum { PERP_FILE_PATH_LENGTH = 4096 };

/** Whether an entry of this name is one that the format itself writes into its folders. */
typedef bool (*perp_folder_owns)(const char *name);

/** PERP_OK when the path is free, or a folder with own entries only, which may be replaced;
 *  else "it holds x, which no WHAT has". The path ends in no slash. */
perp_status perp_folder_check(const char *path, perp_folder_owns owns, const char *what,
                              bool *there, perp_error *err);
/** Make a new folder next to the path, PATH.WORD-PID-K; its name goes to `name`. Those that dead
 *  processes left are removed. */
perp_status perp_folder_create(char *name, size_t length, const char *path,
                               const char *word, perp_error *err);
/** Remove the files and folders PATH.WORD-PID-K of dead processes. */
void perp_folder_sweep(const char *path, const char *word);
/** The folder of temporary files: TMPDIR; else /var/tmp, which is on a disk where /tmp may be in
 *  memory; else /tmp. */
const char *perp_folder_temporary_parent(void);
/** The same without TMPDIR: a short path. */
const char *perp_folder_temporary_usual(void);
/** Make a folder there that others may not enter: perp-XXXXXX when it is to stay, else
 *  perp.run-PID-K, and those that dead processes left are removed. */
perp_status perp_folder_temporary(char *name, size_t length, bool stays, perp_error *err);
/** Remove what dead processes left there. */
void perp_folder_temporary_sweep(void);
/** Remove all that is in a folder. */
void perp_folder_empty(const char *folder);
/** Remove a folder with all that is in it; on Linux needs no memory. */
void perp_folder_remove_all(const char *folder);
/** Rename `fresh` to the path; what was there is removed afterwards. */
perp_status perp_folder_install(const char *fresh, const char *path, bool there,
                                perp_folder_owns owns, perp_error *err);
/** Remove own entries, then the folder; a folder with other entries stays. */
void perp_folder_remove(const char *folder, perp_folder_owns owns);

/** A copy on the heap that is valid UTF-8 and ends at the first 0: a text that is not valid has
 *  marks, by perp_text_utf8 (base/text.h). NULL when there is no memory. */
char *perp_text_valid(const char *bytes, size_t length);
/** "a/b/Capsules-i100.hdf5" -> "Capsules-i100", on the heap, valid as by perp_text_utf8; NULL when
 *  there is no memory. */
char *perp_path_stem(const char *path);
/** Bytes of a path without the slashes at its end, of which the root keeps one. */
size_t perp_path_length(const char *path);
/** Whether the path has this extension. */
bool perp_path_ends(const char *path, const char *extension);

#endif
