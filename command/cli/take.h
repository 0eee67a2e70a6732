/* SPDX-License-Identifier: Apache-2.0
 * cli/take.h: memory of the command. Where there is none, the program prints one line, removes its
 * temporary files and folders and ends with status 2: no caller checks for NULL.
 *
 * A file or folder is renamed to its target only when it is complete, so that no target is half written.
 * A run of a comparison is a process of its own; its end is recorded as a failed run. All of it may be
 * called from several threads; the first that lacks memory ends the program. */
#ifndef PERP_CLI_TAKE_H
#define PERP_CLI_TAKE_H

#include <stdarg.h>
#include <stdio.h>

/** `count` objects of `size` bytes, all zero. free() releases what these functions return. */
void *take(size_t count, size_t size);
/** The array with room for `needed` objects of `size` bytes; *room is doubled until that suffices, and
 *  the new objects are zero. */
void *take_more(void *array, size_t *room, size_t needed, size_t size);
/** n real numbers, all zero, as perp_reals_new makes them for a problem. */
double *take_reals(size_t n);
/** Make room for `needed` objects in an array, a pointer to its type. */
#define TAKE_ROOM(array, room, needed)                                                   \
    ((array) = take_more((array), &(room), (needed), sizeof *(array)))

/** A copy of a text; NULL gives NULL. */
char *take_text(const char *text);
/** A copy of the first `length` bytes of a text, ended by 0. */
char *take_part(const char *text, size_t length);
/** A copy of `count` objects of `size` bytes. */
void *take_copy(const void *objects, size_t count, size_t size);
/** A text as by printf. */
char *take_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** What a library made on the heap, where its NULL says that there is no memory. */
void *take_made(void *made);

/** A stream into memory; *text is valid after take_stream_end, which closes it. */
FILE *take_stream(char **text, size_t *length);
void take_stream_end(FILE *f);

/** A folder that is removed when the program ends for lack of memory, until take_kept. The path stays
 *  where it is. */
void take_temporary(const char *folder);
void take_kept(const char *folder);
/** Remove what is temporary: before an end without the functions of exit. */
void take_remove(void);
/** End the program: `bytes` were not available; 0: their number is not known. */
_Noreturn void take_missing(size_t bytes);
/** Let jansson allocate by take. Called once, by main. */
void take_for_json(void);

#endif
