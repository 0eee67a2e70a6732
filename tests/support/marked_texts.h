/* SPDX-License-Identifier: Apache-2.0
 * tests/support/marked_texts.h: files of texts, each below a line "//= MARK".
 *
 * A text ends before the next mark; its last newline and a blank line before the mark do not belong
 * to it. Lines before the first mark describe the file. */
#ifndef PERP_TEST_MARKED_TEXTS_H
#define PERP_TEST_MARKED_TEXTS_H

#include <stddef.h>

typedef struct marked_text {
    const char *path;        /* of the file, absolute */
    size_t line;             /* of the mark, from 1 */
    const char *mark, *text; /* they live as long as the program */
} marked_text;

/** Call add(context, text) for each text of the files of tests/FOLDER whose names end with
 *  .ENDING. To be called from TEST_SETUP: it ends the program when there is no text. */
void marked_texts(const char *folder, const char *ending,
                  void (*add)(const void *context, const marked_text *t),
                  const void *context);

#endif
