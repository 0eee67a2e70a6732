/* SPDX-License-Identifier: Apache-2.0
 * step/warm.c: impulses of the last step start the next one.
 *
 * A block of the set (a joint, a limit, a contact) is known by its key from step to step.
 * It starts from the impulses of the block of the same key and dimension, else from 0;
 * the step length never changes, so that they need no scaling. The order of blocks rarely
 * changes: a block is looked for where it was, behind the one found last, and only then
 * in a table of the keys made once a step. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "stepper.h"

static bool grow_keys(uint64_t **array, size_t room, size_t count)
{
    void *grown = *array;
    size_t new_room = 0;
    bool ok = core_grow(&grown, sizeof **array, room, &new_room, count);

    *array = grown;
    return ok;
}

perp_status step_memory_reserve(step_memory *m, size_t blocks, size_t rows,
                                perp_error *err)
{
    size_t block_room = m->block_room;
    bool ok = true;

    if (blocks > m->block_room || !m->keys) {
        void *first = m->first;

        ok = core_grow(&first, sizeof *m->first, m->block_room, &block_room, blocks);
        m->first = first;
        ok = ok && grow_keys(&m->keys, m->block_room, blocks) &&
             grow_keys(&m->dim, m->block_room, blocks) &&
             grow_keys(&m->table, 4 * m->block_room, 4 * block_room);
    }
    if (ok) {
        void *z = m->z;

        m->block_room = block_room;
        ok = core_grow(&z, sizeof *m->z, m->row_room, &m->row_room, rows);
        m->z = z;
    }
    return ok ? PERP_OK
              : perp_fail(err, PERP_ERR_MEMORY, "step: no memory for %zu impulses", rows);
}

void step_memory_keep(step_memory *m, const perp_system *system, const double *z)
{
    const perp_set *set = system->problem.set;

    m->blocks = set->count;
    m->rows = set->n;
    m->bits = 0;
    for (size_t k = 0; k < set->count; k++) {
        m->keys[k] = system->keys[k];
        m->first[k] = set->blocks[k].first;
        m->dim[k] = set->blocks[k].dim;
    }
    memcpy(m->z, z, set->n * sizeof *z);
}

/* Where the search for a key begins, in a table of 2^bits places. */
static size_t memory_place(uint64_t key, unsigned bits)
{
    return (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits));
}

/* A table of all keys, at least half empty: numbers of blocks from 1, of equal keys the
 * first one first. */
static void memory_order(step_memory *m)
{
    unsigned bits = 1;
    size_t mask = 0;

    while ((size_t)1 << bits < 2 * m->blocks) {
        bits++;
    }
    mask = ((size_t)1 << bits) - 1;
    memset(m->table, 0, (mask + 1) * sizeof *m->table);
    for (size_t k = 0; k < m->blocks; k++) {
        size_t at = memory_place(m->keys[k], bits);

        while (m->table[at] != 0) {
            at = (at + 1) & mask;
        }
        m->table[at] = k + 1;
    }
    m->bits = bits;
}

/* The block of that key, or m->blocks. */
static size_t memory_find(step_memory *m, uint64_t key)
{
    size_t mask = 0;
    size_t at = 0;

    if (m->blocks == 0) {
        return 0;
    }
    if (m->bits == 0) {
        memory_order(m);
    }
    mask = ((size_t)1 << m->bits) - 1;
    at = memory_place(key, m->bits);
    while (m->table[at] != 0 && m->keys[m->table[at] - 1] != key) {
        at = (at + 1) & mask;
    }
    return m->table[at] != 0 ? m->table[at] - 1 : m->blocks;
}

size_t step_memory_start(step_memory *m, const perp_system *system, double *z)
{
    const perp_set *set = system->problem.set;
    size_t next = 0;
    size_t found = 0;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        size_t at = next;

        if (at >= m->blocks || m->keys[at] != system->keys[k]) {
            at = memory_find(m, system->keys[k]);
        }
        if (at < m->blocks && m->dim[at] == block->dim) {
            memcpy(z + block->first, m->z + m->first[at], block->dim * sizeof *z);
            found++;
            next = at + 1;
        }
    }
    return found;
}

void step_memory_clear(step_memory *m)
{
    free(m->keys);
    free(m->first);
    free(m->dim);
    free(m->table);
    free(m->z);
    memset(m, 0, sizeof *m);
}
