/* SPDX-License-Identifier: Apache-2.0
 * problem/system.c: rows and a friction model make a perp_problem.
 *
 *     w = A z + b,   A = J M^-1 J^T + diag(soft),   b = J u_free - bias
 *
 * in reduced coordinates with H^-1 between the bodies' Jacobians (problem/reduced.c).
 *
 *     joints, springs     FREE, one a row            limits, cone, rope   NONNEG
 *     motors              BOX +-dt max_force         frictionless         NONNEG
 *     cone, associated    CONE of 2 or 3 rows, or ROLLING of 5; the law of the problem
 *     box                 NONNEG, then FRICTION rows bounded by it
 *     pyramid             NONNEG; auxiliary NONNEG rows behind all others
 *
 * b, the set and the keys are written in one pass over the blocks; with FACTORED storage
 * nothing else is done a row. Velocities of bodies that impulses cannot move, kinematic
 * ones among them, enter b through u_free. The set's entries and b are kept from step to
 * step. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "math/team.h"
#include "problem/effective.h"
#include "problem/parts.h"
#include "problem/writer.h"

enum { CONE_GRAIN = 512 /* contacts of a range */ };

void perp_system_clear(perp_system *system)
{
    system_own *own = system->own;

    perp_rows_clear(&system->rows);
    system_unlabel(system);
    if (own) {
        perp_operator_free(own->A);
        system_reduced_clear(&own->reduced);
        perp_state_free(own->held);
        effective_free(own->held_mass);
        free(own->set.blocks);
        free(own->b);
        free(own);
    }
    free(system->keys);
    free(system->u_free);
    free(system->inverse_mass);
    free(system->inverse_inertia);
    memset(system, 0, sizeof *system);
}

void system_hold(perp_system *system, perp_state *state)
{
    system_own *own = system->own;

    perp_state_free(own->held);
    own->held = state;
}

void system_hold_mass(perp_system *system, perp_effective_mass *mass)
{
    system_own *own = system->own;

    if (own) {
        effective_free(own->held_mass);
        own->held_mass = mass;
    } else {
        effective_free(mass);
        system->mass = NULL;
    }
}

static bool system_pyramid(const system_own *own)
{
    return own->model == PERP_MODEL_PYRAMID;
}

/* Reserve the arrays of bodies, of n rows and of `blocks` blocks. */
static bool system_reserve(perp_system *system, size_t bodies, size_t n, size_t blocks)
{
    system_own *own = system->own;
    const math_column of_bodies[] = {
        COLUMN(system->u_free, 6),
        COLUMN(system->inverse_mass, 1),
        COLUMN(system->inverse_inertia, 9),
    };

    return math_grow(of_bodies, 3, &own->body_room, bodies) &&
           GROW(own->b, own->b_room, n) &&
           GROW(own->set.blocks, own->block_room, blocks) &&
           GROW(system->keys, own->key_room, blocks);
}

/* The key of a scalar row: the key of its block for the first row, then numbered. */
static uint64_t system_key(uint64_t key, size_t r)
{
    uint64_t z = key + r * UINT64_C(0x9E3779B97F4A7C15);

    if (r == 0) {
        return key;
    }
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return z ? z : 1;
}

static void system_put(perp_system *system, perp_block block, uint64_t key)
{
    system_own *own = system->own;

    system->keys[own->set.count] = key;
    own->set.blocks[own->set.count++] = block;
    own->set.n += block.dim;
}

static perp_block system_scalar(perp_set_kind kind, size_t row)
{
    perp_block b = {.kind = kind, .dim = 1, .first = row, .hi = INFINITY};

    if (kind == PERP_SET_FREE) {
        b.lo = -INFINITY;
    }
    return b;
}

/* Rows of joints, limits, motors and springs. */
static void system_put_bounds(perp_system *system, const perp_row_block *b)
{
    const perp_rows *rows = &system->rows;

    for (size_t r = b->first; r < b->first + b->dim; r++) {
        const double lo = rows->lo[r];
        const double hi = rows->hi[r];
        perp_block s = system_scalar(PERP_SET_BOX, r);

        if (isinf(lo) && isinf(hi)) {
            s = system_scalar(PERP_SET_FREE, r);
        } else if (lo == 0.0 && isinf(hi)) {
            s = system_scalar(PERP_SET_NONNEG, r);
        } else {
            s.lo = lo;
            s.hi = hi;
        }
        system_put(system, s, system_key(b->key, r - b->first));
    }
}

static bool system_cone(perp_model model)
{
    return model == PERP_MODEL_CONE || model == PERP_MODEL_ASSOCIATED;
}

static void system_write_cone(const perp_row_block *b, const perp_contact *c,
                              perp_block *block, uint64_t *key)
{
    const bool rolling = b->dim == 5;

    *block = (perp_block){.kind = rolling ? PERP_SET_ROLLING : PERP_SET_CONE,
                          .dim = b->dim,
                          .first = b->first,
                          .mu = c->mu,
                          .mu_rolling = rolling ? c->mu_rolling : 0.0};
    *key = b->key;
}

/* Of models other than cones. */
static void system_put_contact(perp_system *system, const perp_row_block *b,
                               const perp_contact *c, perp_model model)
{
    system_put(system, system_scalar(PERP_SET_NONNEG, b->first), b->key);
    for (size_t r = 1; r < b->dim; r++) {
        const size_t row = b->first + r;

        system_put(system,
                   model == PERP_MODEL_BOX ? (perp_block){.kind = PERP_SET_FRICTION,
                                                          .dim = 1,
                                                          .first = row,
                                                          .mu = c->mu,
                                                          .normal = b->first}
                                           : system_scalar(PERP_SET_NONNEG, row),
                   system_key(b->key, r));
    }
}

/* b of a block of rows on bodies i and j; `frame` of a contact, or NULL. */
static void system_write_b(perp_system *system, const perp_row_block *block,
                           const double *frame, size_t i, size_t j)
{
    const perp_rows *rows = &system->rows;
    double *b = ((system_own *)system->own)->b;
    const double *u_i = system->u_free + 6 * i;
    const double *u_j = system->u_free + 6 * j;
    double made[12];

    if (frame) {
        system_frame_rates(frame, u_i, u_j, b + block->first);
    }
    for (size_t r = block->first; r < block->first + block->dim; r++) {
        b[r] = (frame ? b[r] : vec3_rate(perp_rows_row(rows, r, made), u_i, u_j)) -
               rows->bias[r];
    }
    if (block->role == PERP_ROLE_GEAR) {
        b[block->first] += rows_second_rate(rows, block->first, system->u_free);
    }
}

/* Cones of contacts, each of which is one block of K. */
typedef struct system_cones {
    perp_system *system;
    const perp_contacts *contacts;
} system_cones;

static void system_write_cones(void *context, size_t first, size_t last)
{
    const system_cones *t = context;
    const perp_rows *rows = &t->system->rows;
    const system_own *own = t->system->own;
    const size_t joints = rows->block_count - rows->contact_blocks;
    const double *frames = system_frames(rows);

    for (size_t k = first; k < last; k++) {
        const perp_row_block *block = &rows->blocks[joints + k];
        const perp_contact *c = &t->contacts->at[block->source];

        system_write_b(t->system, block, frames ? frames + 15 * k : NULL, (size_t)c->i,
                       (size_t)c->j);
        system_write_cone(block, c, &own->set.blocks[own->set.count + k],
                          &t->system->keys[own->set.count + k]);
    }
}

/* b and K, in one pass. */
static void system_write(perp_system *system, const perp_world *world,
                         const perp_contacts *contacts, const perp_scheme *scheme)
{
    const perp_rows *rows = &system->rows;
    system_own *own = system->own;
    const size_t joints = rows->block_count - rows->contact_blocks;
    const size_t cones = system_cone(own->model) ? rows->contact_blocks : 0;

    own->set.n = own->set.count = 0;
    for (size_t k = 0; k < rows->block_count - cones; k++) {
        const perp_row_block *block = &rows->blocks[k];
        size_t i = 0;
        size_t j = 0;

        system_bodies(block, world, contacts, &i, &j);
        system_write_b(system, block, NULL, i, j);
        if (k < joints) {
            system_put_bounds(system, block);
        } else {
            system_put_contact(system, block, &contacts->at[block->source],
                               scheme->model);
        }
    }
    if (cones > 0) {
        math_team_run(rows->team, cones, CONE_GRAIN, system_write_cones,
                      &(system_cones){system, contacts});
        own->set.count += cones;
        own->set.n = rows->count;
    }
    for (size_t k = 0; system_pyramid(own) && k < rows->contact_blocks; k++) {
        own->b[rows->count + k] = 0.0;
        system_put(system, system_scalar(PERP_SET_NONNEG, rows->count + k),
                   system_key(rows->blocks[joints + k].key, 1000));
    }
}

void system_set_free(perp_system *system, const perp_world *world,
                     const perp_contacts *contacts, const double *u_free)
{
    const perp_rows *rows = &system->rows;
    const double *frames = system_frames(rows);
    const size_t joints = rows->block_count - rows->contact_blocks;

    memcpy(system->u_free, u_free, 6 * system->bodies * sizeof *u_free);
    for (size_t k = 0; k < rows->block_count; k++) {
        size_t i = 0;
        size_t j = 0;

        system_bodies(&rows->blocks[k], world, contacts, &i, &j);
        system_write_b(system, &rows->blocks[k],
                       frames && k >= joints ? frames + 15 * (k - joints) : NULL, i, j);
    }
}

/* Storage of A: as asked for, or the nearest that can hold it, and the words for it. */
static perp_storage system_storage(perp_system *system, const perp_scheme *scheme)
{
    system_own *own = system->own;
    perp_storage storage =
        scheme->storage == PERP_STORAGE_PAIRS ? PERP_STORAGE_FACTORED : scheme->storage;
    const char *remark = "";
    const char *words = "dense";
    char coordinates[64] = "";

    if (system_pyramid(own) &&
        (storage == PERP_STORAGE_FACTORED || storage == PERP_STORAGE_BSR)) {
        storage = PERP_STORAGE_CSR;
        remark = ", because auxiliary rows do not have the form J M^-1 J^T";
    } else if (storage == PERP_STORAGE_BSR && perp_set_block_size(&own->set) == 1) {
        storage = PERP_STORAGE_CSR;
        remark = ", because its blocks do not all have one size above 1";
    }
    words = storage == PERP_STORAGE_CSR        ? "in rows (CSR)"
            : storage == PERP_STORAGE_BSR      ? "in blocks (BSR)"
            : storage == PERP_STORAGE_FACTORED ? "in factors"
                                               : "dense";
    if (own->reduced.tree) {
        snprintf(coordinates, sizeof coordinates, ", %zu reduced coordinate%s",
                 own->reduced.n, perp_plural(own->reduced.n));
    } else if (system->mass) {
        snprintf(coordinates, sizeof coordinates, ", implicit forces in M");
    }
    snprintf(own->title, sizeof own->title, "friction %s, A %s%s%s",
             perp_model_names[scheme->model], words, remark, coordinates);
    return storage;
}

system_matrix system_parts(const perp_system *system, const perp_contacts *contacts)
{
    const system_own *own = system->own;
    const perp_effective_mass *mass = system->rows.count > 0 ? system->mass : NULL;
    const bool trees = own->reduced.tree;
    const bool gears = system->rows.second_count > 0;
    bool symmetric = true;

    for (size_t g = 0; mass && g < mass->groups; g++) {
        symmetric = symmetric && mass->triangular[g];
    }
    return (system_matrix){.rows = &system->rows,
                           .contacts = contacts,
                           .bodies = system->bodies,
                           .inverse_mass = system->inverse_mass,
                           .inverse_inertia = system->inverse_inertia,
                           .pyramid = system_pyramid(own),
                           .innovations =
                               trees || mass || gears ? &own->reduced.rows : NULL,
                           .root = trees  ? own->reduced.root
                                   : mass ? mass->root
                                          : NULL,
                           .symmetric = symmetric};
}

/* Add softness to rows that no coordinate moves, and say so in the title. */
static void system_soften(perp_system *system)
{
    system_own *own = system->own;
    const system_innovations *from = &own->reduced.rows;
    const size_t length = strlen(own->title);

    if (from->null_count == 0) {
        return;
    }
    for (size_t r = 0; r < from->rows; r++) {
        system->rows.soft[r] += from->null_softness[r];
    }
    system->rows.any_soft = true;
    snprintf(own->title + length, sizeof own->title - length,
             ", softness added to %zu row%s that no coordinate moves", from->null_count,
             perp_plural(from->null_count));
}

/* Make A of the rows, each on two bodies; with trees, implicit forces or gears also as
 * innovations. */
static perp_status system_operator(perp_system *system, const perp_contacts *contacts,
                                   perp_storage storage, perp_error *err)
{
    system_own *own = system->own;
    system_reduced *reduced = &own->reduced;
    const system_matrix m = system_parts(system, contacts);
    perp_pairs pairs = {.rows = system->rows.count,
                        .J = system->rows.J,
                        .body = system->rows.body,
                        .bodies = system->bodies,
                        .inverse_mass = system->inverse_mass,
                        .inverse_inertia = system->inverse_inertia,
                        .frames = system_frames(&system->rows),
                        .frames_from = system->rows.frames_from};
    perp_status status = PERP_OK;

    perp_operator_free(own->A);
    own->A = NULL;
    if (m.innovations) {
        status = system_rows_of(system, &pairs, &reduced->rows, err);
    }
    if (reduced->tree) {
        system_soften(system);
    }
    pairs.C = system->rows.any_soft ? system->rows.soft : NULL;
    if (status != PERP_OK || storage != PERP_STORAGE_FACTORED) {
        return status == PERP_OK ? system_multiply(&own->A, &m, storage, err) : status;
    }
    return m.innovations
               ? system_innovations_operator(&reduced->rows, pairs.C, &own->A, err)
               : perp_operator_new_pairs(&own->A, &pairs, err);
}

/* Number of blocks of K: a cone is one block, every other row is a block. */
static size_t system_blocks(const perp_rows *rows, const perp_scheme *scheme, size_t n)
{
    const size_t joints = rows->block_count - rows->contact_blocks;

    if (system_cone(scheme->model) && rows->contact_blocks > 0) {
        return rows->blocks[joints].first + rows->contact_blocks;
    }
    return n;
}

perp_status perp_system_formulate(perp_system *system, const perp_world *world,
                                  const perp_state *state, const double *u_free,
                                  const perp_contacts *contacts,
                                  const perp_scheme *scheme, perp_error *err)
{
    const perp_rows *rows = &system->rows;
    const size_t bodies = world->body_count;
    const bool pyramid = scheme->model == PERP_MODEL_PYRAMID;
    const size_t n = rows->count + (pyramid ? rows->contact_blocks : 0);
    const size_t blocks = system_blocks(rows, scheme, n);
    system_own *own = system->own;
    perp_status status = PERP_OK;

    memset(&system->problem, 0, sizeof system->problem);
    system_unlabel(system);
    if (!own) {
        own = system->own = calloc(1, sizeof *own);
    }
    if (!own || !system_reserve(system, bodies, n, blocks)) {
        return perp_fail(err, PERP_ERR_MEMORY, "system: no memory for %zu rows", n);
    }
    system->bodies = bodies;
    own->model = scheme->model;
    memmove(system->u_free, u_free, 6 * bodies * sizeof *u_free);
    memcpy(system->inverse_mass, world->inverse_mass, bodies * sizeof(double));
    memcpy(system->inverse_inertia, state->inverse_inertia, 9 * bodies * sizeof(double));
    system_write(system, world, contacts, scheme);
    status = system_reduce(&own->reduced, rows->count > 0 ? world : NULL, state, err);
    if (status == PERP_OK) {
        status = system_operator(system, contacts, system_storage(system, scheme), err);
    }
    if (status == PERP_OK) {
        system->problem = (perp_problem){.n = n,
                                         .A = own->A,
                                         .b = own->b,
                                         .set = &own->set,
                                         .law = scheme->model == PERP_MODEL_ASSOCIATED
                                                    ? PERP_LAW_ASSOCIATED
                                                    : PERP_LAW_COULOMB,
                                         .title = own->title};
    }
    return status;
}

void perp_system_name(const perp_system *system, const perp_world *world,
                      const perp_contacts *contacts, size_t row, char *text,
                      size_t length)
{
    const perp_rows *rows = &system->rows;

    if (row < rows->count || row >= system->problem.n) {
        rows_name(rows, world, contacts, row, text, length);
    } else if (length > 0) {
        const perp_row_block *b =
            &rows->blocks[rows->block_count - rows->contact_blocks + row - rows->count];
        const perp_contact *c = &contacts->at[b->source];

        snprintf(text, length, "contact %s/%s: auxiliary", world->name[c->i],
                 world->name[c->j]);
    }
}
