/* SPDX-License-Identifier: Apache-2.0
 * runner/wire.c: JSON objects over a socket, one per line. */
#include <config.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "command/campaign/wire.h"
#include "command/cli/take.h"

enum { WIRE_PART = 65536 };

static bool wire_write(const wire *w, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t wrote = send(w->file, text, length, MSG_NOSIGNAL);

        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        text += wrote > 0 ? wrote : 0;
        length -= wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

bool wire_send(wire *w, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT | JSON_REAL_PRECISION(17));
    size_t length = strlen(text);
    bool sent = false;

    if (w->file >= 0) {
        text[length] = '\n'; /* replaces the end: sent by its length */
        sent = wire_write(w, text, length + 1);
    }
    free(text);
    json_decref(message);
    return sent;
}

/* Take the first line out of what was received. */
static wire_state wire_take(wire *w, json_t **message)
{
    size_t fresh = w->length - w->searched, line = 0;
    char *end = fresh ? memchr(w->text + w->searched, '\n', fresh) : NULL;

    w->searched = w->length;
    if (!end) {
        return WIRE_EMPTY;
    }
    line = (size_t)(end - w->text);
    *message = json_loadb(w->text, line, 0, NULL);
    w->length -= line + 1;
    w->searched = 0;
    memmove(w->text, end + 1, w->length);
    return json_is_object(*message) ? WIRE_MESSAGE : WIRE_CLOSED;
}

wire_state wire_receive(wire *w, json_t **message)
{
    wire_state state = w->file >= 0 ? WIRE_EMPTY : WIRE_CLOSED;
    bool read = true;

    *message = NULL;
    if (state == WIRE_EMPTY) {
        state = wire_take(w, message);
    }
    while (state == WIRE_EMPTY && read) {
        ssize_t got = 0;

        if (w->most && w->length > w->most) {
            return WIRE_CLOSED;
        }
        TAKE_ROOM(w->text, w->room, w->length + WIRE_PART);
        got = recv(w->file, w->text + w->length, w->room - w->length, MSG_DONTWAIT);
        if (got > 0) {
            w->length += (size_t)got;
            state = wire_take(w, message);
        } else if (got < 0 && errno == EINTR) {
            continue;
        } else {
            read = false;
            state = got < 0 && errno == EAGAIN ? WIRE_EMPTY : WIRE_CLOSED;
        }
    }
    if (state == WIRE_CLOSED) {
        json_decref(*message);
        *message = NULL;
    }
    return state;
}

void wire_wait(const wire *w, double seconds)
{
    struct pollfd watch = {w->file, POLLIN, 0};

    poll(&watch, 1, seconds < 0.0 ? -1 : (int)(seconds * 1e3));
}

void wire_close(wire *w)
{
    if (w->file >= 0) {
        close(w->file);
    }
    free(w->text);
    *w = (wire){.file = -1};
}
