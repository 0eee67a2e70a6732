/* SPDX-License-Identifier: Apache-2.0
 * step/warm.c: impulses of the last step start the next one.
 *
 * A key identifies a block of the set (a joint, a limit, a contact) from step to step. It
 * starts from the impulses of the block with the same key and dimension, else from 0; the
 * step length is constant, so the impulses need no scaling. The order of blocks rarely
 * changes: a block is first searched after the one found last, then in a hash table of
 * keys that is built once per step.
 *
 * The touching features can change while the points hardly do: for two aligned faces a
 * corner may belong to either body. A contact whose key is new starts from the nearest
 * one of the same two bodies whose key has vanished, if that was closer than two margins,
 * moved with the body. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "step/solve.h"

perp_status step_memory_reserve(step_memory *m, size_t blocks, size_t rows,
                                perp_error *err)
{
    const math_column of_blocks[] = {
        COLUMN(m->first, 1), COLUMN(m->keys, 1),  COLUMN(m->dim, 1),
        COLUMN(m->pair, 1),  COLUMN(m->used, 1),  COLUMN(m->fresh, 1),
        COLUMN(m->point, 3), COLUMN(m->table, 4),
    };
    const math_column of_rows[] = {COLUMN(m->z, 1), COLUMN(m->mean, 1)};

    return math_grow(of_blocks, sizeof of_blocks / sizeof *of_blocks, &m->block_room,
                     blocks) &&
                   math_grow(of_rows, 2, &m->row_room, rows)
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "step: no memory for %zu impulses",
                           rows);
}

/* The contacts of a problem, block by block. */
typedef struct memory_walk {
    const perp_rows *rows;
    const perp_contacts *contacts;
    size_t block; /* of the rows */
} memory_walk;

static memory_walk memory_walk_contacts(const perp_system *system,
                                        const perp_contacts *contacts)
{
    const perp_rows *rows = &system->rows;

    return (memory_walk){rows, contacts, rows->block_count - rows->contact_blocks};
}

/* The contact that a row belongs to, or NULL; rows ascend from call to call. *pair: its bodies and
 * which of its rows, never 0. */
static const perp_contact *memory_contact(memory_walk *walk, size_t row, uint64_t *pair)
{
    const perp_rows *rows = walk->rows;
    const perp_row_block *blocks = rows->blocks;
    const perp_contact *c = NULL;

    while (walk->block < rows->block_count &&
           blocks[walk->block].first + blocks[walk->block].dim <= row) {
        walk->block++;
    }
    *pair = 0;
    if (walk->block == rows->block_count || row < blocks[walk->block].first) {
        return NULL;
    }
    c = &walk->contacts->at[blocks[walk->block].source];
    *pair = (((uint64_t)c->i << 32 | (uint64_t)c->j) << 3) +
            (row - blocks[walk->block].first) + 1;
    return c;
}

void step_memory_keep(step_memory *m, const perp_system *system,
                      const perp_contacts *contacts, const double *z)
{
    const perp_set *set = system->problem.set;
    memory_walk walk = memory_walk_contacts(system, contacts);

    m->blocks = set->count;
    m->rows = set->n;
    m->bits = 0;
    m->damped = false;
    for (size_t k = 0; k < set->count; k++) {
        const perp_contact *c = memory_contact(&walk, set->blocks[k].first, &m->pair[k]);

        m->keys[k] = system->keys[k];
        m->first[k] = set->blocks[k].first;
        m->dim[k] = set->blocks[k].dim;
        if (c) {
            vec3_copy(m->point + 3 * k, c->point);
        } else {
            memset(m->point + 3 * k, 0, 3 * sizeof *m->point);
        }
    }
    memcpy(m->z, z, set->n * sizeof *z);
}

/* Where the search for a key begins, in a table of 2^bits places. */
static size_t memory_place(uint64_t key, unsigned bits)
{
    return (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits));
}

/* Of a table of at least twice as many places as blocks. */
static unsigned memory_bits(size_t blocks)
{
    unsigned bits = 1;

    while ((size_t)1 << bits < 2 * blocks) {
        bits++;
    }
    return bits;
}

/* A table of all keys, at least half empty: numbers of blocks from 1, of equal keys the
 * first one first. */
static void memory_order(step_memory *m)
{
    unsigned bits = memory_bits(m->blocks);
    size_t mask = ((size_t)1 << bits) - 1;

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

static void memory_give(perp_stepper *st, size_t at, const perp_block *block, double *z)
{
    step_memory *m = &st->memory;

    memcpy(z + block->first, m->z + m->first[at], block->dim * sizeof *z);
    if (m->damped) {
        memcpy(st->rows.mean + block->first, m->mean + m->first[at],
               block->dim * sizeof *z);
    }
    m->used[at] = 1;
}

/* A table of the pairs, where each is first left over: numbers of blocks from 1. */
static unsigned memory_order_pairs(step_memory *m)
{
    unsigned bits = memory_bits(m->blocks);
    size_t mask = ((size_t)1 << bits) - 1;

    memset(m->table, 0, (mask + 1) * sizeof *m->table);
    for (size_t k = 0; k < m->blocks; k++) {
        size_t at = memory_place(m->pair[k], bits);

        while (m->table[at] != 0 && m->pair[m->table[at] - 1] != m->pair[k]) {
            at = (at + 1) & mask;
        }
        if (m->table[at] == 0 && m->pair[k] != 0 && !m->used[k]) {
            m->table[at] = k + 1;
        }
    }
    m->bits = 0; /* the keys are no longer in the table */
    return bits;
}

static bool memory_same_bodies(uint64_t pair, uint64_t other)
{
    return other != 0 && (pair - 1) >> 3 == (other - 1) >> 3;
}

/* Where a point of the last step is now: it moves with the body of c that impulses move. */
static void memory_move(const perp_world *w, const perp_state *state,
                        const perp_contact *c, double dt, const double *point,
                        double *now)
{
    size_t body = (size_t)(world_moves(w, c->j) ? c->j : c->i);
    const double *u = perp_body_velocity(state, body);
    double arm[3], turned[3];

    vec3_add(point, dt, u, now);
    vec3_subtract(now, perp_body_pose(state, body), arm);
    vec3_cross(u + 3, arm, turned);
    vec3_add(now, dt, turned, now);
}

/* The nearest contact left over of the same bodies, or m->blocks. They follow each other. */
static size_t memory_nearest(const perp_stepper *st, unsigned bits, const perp_contact *c,
                             uint64_t pair, uint64_t dim)
{
    const step_memory *m = &st->memory;
    double best = 4.0 * st->scheme.margin * st->scheme.margin, now[3];
    size_t mask = ((size_t)1 << bits) - 1, at = memory_place(pair, bits);
    size_t nearest = m->blocks, k = 0;

    while (m->table[at] != 0 && m->pair[m->table[at] - 1] != pair) {
        at = (at + 1) & mask;
    }
    for (k = m->table[at] != 0 ? m->table[at] - 1 : m->blocks;
         k < m->blocks && memory_same_bodies(pair, m->pair[k]); k++) {
        double squared = 0.0;

        if (m->pair[k] != pair || m->used[k] || m->dim[k] != dim) {
            continue;
        }
        memory_move(st->world, st->state, c, st->scheme.dt, m->point + 3 * k, now);
        vec3_subtract(now, c->point, now);
        squared = vec3_dot(now, now);
        if (squared < best) {
            best = squared;
            nearest = k;
        }
    }
    return nearest;
}

/* Start contacts with a new key from contacts whose key has vanished. */
static size_t memory_start_fresh(perp_stepper *st, const perp_system *system,
                                 size_t count, double *z)
{
    step_memory *m = &st->memory;
    memory_walk walk = memory_walk_contacts(system, &st->contacts);
    unsigned bits = count > 0 ? memory_order_pairs(m) : 0;
    size_t found = 0;

    for (size_t k = 0; k < count; k++) {
        const perp_block *block = &system->problem.set->blocks[m->fresh[k]];
        uint64_t pair = 0;
        const perp_contact *c = memory_contact(&walk, block->first, &pair);
        size_t at = c ? memory_nearest(st, bits, c, pair, block->dim) : m->blocks;

        if (at < m->blocks) {
            memory_give(st, at, block, z);
            found++;
        }
    }
    return found;
}

size_t step_memory_start(perp_stepper *st, const perp_system *system, double *z)
{
    step_memory *m = &st->memory;
    const perp_set *set = system->problem.set;
    size_t next = 0, found = 0, fresh = 0;

    memset(st->rows.mean, 0, set->n * sizeof *st->rows.mean);
    if (m->blocks == 0) {
        return 0;
    }
    memset(m->used, 0, m->blocks * sizeof *m->used);
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        size_t at = next;

        if (at >= m->blocks || m->keys[at] != system->keys[k]) {
            at = memory_find(m, system->keys[k]);
        }
        if (at < m->blocks && m->dim[at] == block->dim) {
            memory_give(st, at, block, z);
            found++;
            next = at + 1;
        } else {
            m->fresh[fresh++] = k;
        }
    }
    if (m->removals == st->world->removals) { /* else bodies have other numbers now */
        found += memory_start_fresh(st, system, fresh, z);
    }
    return found;
}

void step_memory_add(step_memory *m, const perp_system *system, double *z)
{
    const perp_set *set = system->problem.set;

    for (size_t k = 0; m->blocks > 0 && k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        const size_t at = memory_find(m, system->keys[k]);

        for (size_t d = 0; at < m->blocks && d < block->dim; d++) {
            z[block->first + d] += m->z[m->first[at] + d];
        }
    }
}

double step_memory_impulse(step_memory *m, uint64_t key)
{
    const size_t at = memory_find(m, key);

    return at < m->blocks ? m->z[m->first[at]] : 0.0;
}

void step_memory_clear(step_memory *m)
{
    free(m->keys);
    free(m->first);
    free(m->dim);
    free(m->pair);
    free(m->point);
    free(m->used);
    free(m->fresh);
    free(m->table);
    free(m->z);
    free(m->mean);
    memset(m, 0, sizeof *m);
}
