/* SPDX-License-Identifier: Apache-2.0
 * core/sequence_type.h: the layout of a sequence. Private. */
#ifndef PERP_CORE_SEQUENCE_H
#define PERP_CORE_SEQUENCE_H

#include "core/solvers.h"

/** Items that are not in memory. */
typedef struct perp_sequence_store {
    /** Item i, unchecked, into a zeroed `item`; what was read stays there on failure. */
    perp_status (*read)(const void *state, size_t i, perp_sequence_item *item,
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

/** A sequence on disk, which owns `state`; it is closed also when there is no memory. */
perp_status perp_sequence_new_stored(perp_sequence **s, const char *name,
                                     const char *path, size_t count,
                                     const perp_sequence_store *store, void *state,
                                     perp_error *err);

#endif
