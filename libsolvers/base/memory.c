/* SPDX-License-Identifier: Apache-2.0
 * base/memory.c: streams into memory. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/memory.h"
#include "base/system.h"

/* Where a stream writes to. */
typedef struct memory_sink {
    char **text;
    size_t *length;
    size_t room;
    bool failed;
} memory_sink;

/* Room for `more` bytes and the 0 behind them. */
static bool sink_extend(memory_sink *s, size_t more)
{
    size_t needed = *s->length + more;
    size_t room = s->room;
    char *bytes = NULL;

    if (needed < more) {
        return false;
    }
    while (room <= needed) {
        if (!perp_mul(room, 2, &room)) {
            return false;
        }
    }
    bytes = room > s->room ? realloc(*s->text, room) : *s->text;
    if (bytes) {
        *s->text = bytes;
        s->room = room;
    }
    return bytes != NULL;
}

static ssize_t sink_write(void *cookie, const char *bytes, size_t size)
{
    memory_sink *s = cookie;

    s->failed = s->failed || !sink_extend(s, size);
    if (s->failed) {
        return 0; /* an error to the stream */
    }
    memcpy(*s->text + *s->length, bytes, size);
    *s->length += size;
    (*s->text)[*s->length] = '\0';
    return (ssize_t)size;
}

/* For ftell: the end of what is written is the only place. */
static int sink_seek(void *cookie, off_t *offset, int whence)
{
    const memory_sink *s = cookie;

    if (whence != SEEK_CUR || *offset != 0) {
        return -1;
    }
    *offset = (off_t)*s->length;
    return 0;
}

static int sink_close(void *cookie)
{
    memory_sink *s = cookie;
    const bool failed = s->failed;

    if (failed) {
        free(*s->text);
        *s->text = NULL;
        *s->length = 0;
    }
    free(s);
    return failed ? -1 : 0;
}

FILE *perp_memory_stream(char **text, size_t *length)
{
    enum { FIRST = 1024 };
    static const perp_stream_calls calls = {sink_write, sink_seek, sink_close};
    memory_sink *s = malloc(sizeof *s);
    FILE *f = NULL;

    *length = 0;
    *text = calloc(1, FIRST);
    if (s && *text) {
        *s = (memory_sink){.text = text, .length = length, .room = FIRST};
        f = perp_stream_open(s, &calls);
    }
    if (!f) {
        free(s);
        free(*text);
        *text = NULL;
        f = errno == ENOSYS ? open_memstream(text, length) : NULL;
        if (f) {
            fflush(f); /* the text is "" from the start */
        }
    }
    return f;
}
