/* SPDX-License-Identifier: Apache-2.0
 * runner/wire.h: messages between the process that hands out runs and those that make them: JSON
 * objects over a socket, one per line. */
#ifndef PERP_RUNNER_WIRE_H
#define PERP_RUNNER_WIRE_H

#include <jansson.h>

#include <perp/perp.h>

/** One end of a socket; file -1: closed. */
typedef struct wire {
    int file;
    char *text; /* received and not read yet */
    size_t length, room;
    size_t searched; /* bytes of it that hold no end of a message */
    size_t most;     /* a longer message closes the wire; 0: no limit */
} wire;

typedef enum wire_state {
    WIRE_MESSAGE, /* *message is a new reference */
    WIRE_EMPTY,   /* no whole message yet */
    WIRE_CLOSED,  /* the other end has gone, or sent what is no message */
} wire_state;

/** Send a message, which it takes over; false: the other end has gone. */
bool wire_send(wire *w, json_t *message);
/** The next message, without waiting. */
wire_state wire_receive(wire *w, json_t **message);
/** Wait until something arrives, at most `seconds`; negative: without end. */
void wire_wait(const wire *w, double seconds);
void wire_close(wire *w); /* no-op when it is closed */

#endif
