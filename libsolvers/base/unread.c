/* SPDX-License-Identifier: Apache-2.0
 * base/unread.c: a file whose kind could not be found out. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/unread.h"

enum { UNREAD_TEXT = 1024 };

static _Thread_local char unread_text[UNREAD_TEXT];

void perp_unread_say(const char *sentence)
{
    if (!unread_text[0]) {
        snprintf(unread_text, sizeof unread_text, "%s", sentence);
    }
}

void perp_unread_note(const char *path)
{
    if (!unread_text[0] && errno != ENOENT && errno != ENOTDIR && errno != EISDIR) {
        snprintf(unread_text, sizeof unread_text, "%.*s: cannot open: %s",
                 UNREAD_TEXT - 200, path, strerror(errno));
    }
}

const char *perp_unread(void)
{
    return unread_text[0] ? unread_text : NULL;
}

void perp_unread_forget(void)
{
    unread_text[0] = '\0';
}
