/* SPDX-License-Identifier: Apache-2.0
 * step/warm.h: the impulses that a step keeps for the next one (step/warm.c). Private. */
#ifndef PERP_STEP_WARM_H
#define PERP_STEP_WARM_H

#include <perp/dynamics/step.h>

/** Impulses of the last step by the key of their block (step/warm.c). */
typedef struct step_memory {
    size_t blocks, rows;
    uint64_t *keys;
    uint64_t *first; /* blocks: its first entry in z */
    uint64_t *dim;
    double *z;
    double *mean; /* rows: running means of impulses, if starts are damped */
    bool damped;  /* z was damped by step/damp.c */
    uint64_t
        *pair; /* blocks: the bodies of a contact and which of its rows; 0: no contact */
    double *point;   /* 3 per block, for contacts */
    uint64_t *used;  /* blocks: 1 if its impulses were used as a start */
    uint64_t *fresh; /* blocks of the next problem whose key was not found */
    uint64_t *table; /* 4 per block: hash table of keys, then of pairs; built on demand */
    unsigned bits;   /* size of the hash table; 0: not built */
    size_t block_room, row_room;
    uint64_t removals; /* of the world when `pair` was written */
} step_memory;

/** Reserve memory for the impulses of a problem; and store those of the solved one. */
perp_status step_memory_reserve(step_memory *memory, size_t blocks, size_t rows,
                                perp_error *err);
void step_memory_keep(step_memory *memory, const perp_system *system,
                      const perp_contacts *contacts, const double *z);
/** z := z + the impulses of the same blocks; and the first impulse of the block of that
 *  key, 0 without one. */
void step_memory_add(step_memory *memory, const perp_system *system, double *z);
double step_memory_impulse(step_memory *memory, uint64_t key);
void step_memory_clear(step_memory *memory);

#endif
