/* SPDX-License-Identifier: Apache-2.0
 * core/sequence_type.h: what a sequence is made of. Private. */
#ifndef PERP_CORE_SEQUENCE_H
#define PERP_CORE_SEQUENCE_H

#include "core/solvers.h"

/** A way to keep steps where they need no memory. */
typedef struct perp_sequence_store {
    /** Step i into a zeroed `step`, unchecked; what was got stays there on failure. */
    perp_status (*read)(const void *state, size_t i, perp_sequence_item *step,
                        perp_error *err);
    void (*close)(void *state);
} perp_sequence_store;

struct perp_sequence {
    char *name;
    size_t count;
    perp_sequence_item *steps; /* in memory: count of them, of room */
    size_t room;
    const perp_sequence_store *store; /* on disk; NULL: in memory */
    void *state;                      /* of the store */
    char *path;                       /* on disk, for messages */
};

/** A sequence on disk; takes over `state`, which is closed when there is no memory. */
perp_status perp_sequence_new_stored(perp_sequence **s, const char *name,
                                     const char *path, size_t count,
                                     const perp_sequence_store *store, void *state,
                                     perp_error *err);

#endif
