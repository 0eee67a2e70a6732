/* SPDX-License-Identifier: Apache-2.0
 * step/save.c: all data that the next step depends on, as one flat array of doubles.
 *
 *     bodies, joints, coordinates, blocks, rows, step      6 integers
 *     t
 *     s (7 a body), u (6), load (6)
 *     unwrapped coordinates (PERP_JOINT_AXES a joint)
 *     q, qd of the trees, where joints are eliminated
 *     keys, dims, pairs (1 a block), points (3), impulses (1 a row): the start of the next
 *     solution; where it is damped, running means (1 a row)
 *
 * Integers are stored as the bits of a double, copied and never computed with. Masses,
 * shapes, joints and forces belong to the world and are not saved. */
#include <config.h>

#include "base/base.h"
#include "step/stepper.h"

enum { STATE_HEAD = 6, MEMORY_BLOCK = 6 /* numbers per block */ };

static double *save_put_integer(double *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
    return at + 1;
}

static uint64_t save_get_integer(const double *at)
{
    uint64_t value = 0;

    memcpy(&value, at, sizeof value);
    return value;
}

static double *save_put_reals(double *at, const double *x, size_t n)
{
    if (n > 0) {
        memcpy(at, x, n * sizeof *x);
    }
    return at + n;
}

static const double *save_get_reals(const double *at, double *x, size_t n)
{
    if (n > 0) {
        memcpy(x, at, n * sizeof *x);
    }
    return at + n;
}

static size_t save_coordinates(const perp_world *w)
{
    return w->reduced ? w->reduced->tree->n : 0;
}

static size_t save_world_size(const perp_world *w)
{
    return STATE_HEAD + 1 + 19 * w->body_count + PERP_JOINT_AXES * w->joint_count +
           2 * save_coordinates(w);
}

size_t perp_stepper_state_size(const perp_stepper *st)
{
    const step_memory *m = &st->memory;

    return save_world_size(st->world) + MEMORY_BLOCK * m->blocks +
           (m->damped ? 2 : 1) * m->rows;
}

perp_status perp_stepper_save(const perp_stepper *st, double *out, size_t size,
                              perp_error *err)
{
    const perp_world *w = st->world;
    const perp_state *state = st->user;
    const step_memory *m = &st->memory;
    const size_t n = save_coordinates(w);
    double *at = out;

    TRY(world_state_check(state, w, err));
    if (size != perp_stepper_state_size(st)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "state: room for %zu number%s, expected %zu", size,
                         perp_plural(size), perp_stepper_state_size(st));
    }
    at = save_put_integer(at, w->body_count);
    at = save_put_integer(at, w->joint_count);
    at = save_put_integer(at, n);
    at = save_put_integer(at, m->blocks);
    at = save_put_integer(at, m->rows);
    at = save_put_integer(at, st->step);
    *at++ = state->t;
    at = save_put_reals(at, state->s, 7 * w->body_count);
    at = save_put_reals(at, state->u, 6 * w->body_count);
    at = save_put_reals(at, state->load, 6 * w->body_count);
    at = save_put_reals(at, state->axes, PERP_JOINT_AXES * w->joint_count);
    if (n > 0) {
        at = save_put_reals(at, state->trees->q, n);
        at = save_put_reals(at, state->trees->qd, n);
    }
    for (size_t k = 0; k < m->blocks; k++) {
        at = save_put_integer(at, m->keys[k]);
    }
    for (size_t k = 0; k < m->blocks; k++) {
        at = save_put_integer(at, m->dim[k]);
    }
    for (size_t k = 0; k < m->blocks; k++) {
        at = save_put_integer(at, m->removals == w->removals ? m->pair[k] : 0);
    }
    at = save_put_reals(at, m->point, 3 * m->blocks);
    at = save_put_reals(at, m->z, m->rows);
    if (m->damped) {
        save_put_reals(at, m->mean, m->rows);
    }
    return PERP_OK;
}

/* Whether the head fits this world and the size. */
static perp_status save_check_head(const perp_stepper *st, const double *from,
                                   size_t size, perp_error *err)
{
    const perp_world *w = st->world;
    size_t fixed = save_world_size(w);
    uint64_t blocks = 0;
    uint64_t rows = 0;

    if (size < STATE_HEAD) {
        return perp_fail(err, PERP_ERR_DATA, "state: %zu number%s, expected at least %zu",
                         size, perp_plural(size), fixed);
    }
    if (save_get_integer(from) != w->body_count ||
        save_get_integer(from + 1) != w->joint_count) {
        return perp_fail(err, PERP_ERR_DATA,
                         "state: %llu bod%s and %llu joint%s, expected %zu and %zu",
                         (unsigned long long)save_get_integer(from),
                         perp_plural_y((size_t)(save_get_integer(from))),
                         (unsigned long long)save_get_integer(from + 1),
                         perp_plural((size_t)(save_get_integer(from + 1))), w->body_count,
                         w->joint_count);
    }
    if (save_get_integer(from + 2) != save_coordinates(w)) {
        return perp_fail(
            err, PERP_ERR_DATA, "state: %llu reduced coordinate%s, expected %zu",
            (unsigned long long)save_get_integer(from + 2),
            perp_plural((size_t)(save_get_integer(from + 2))), save_coordinates(w));
    }
    blocks = save_get_integer(from + 3);
    rows = save_get_integer(from + 4);
    if (size < fixed || blocks > size || rows > size ||
        (fixed + MEMORY_BLOCK * blocks + rows != size &&
         fixed + MEMORY_BLOCK * blocks + 2 * rows != size)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "state: %zu number%s, expected %zu and %llu blocks of %llu row%s", size,
            perp_plural(size), fixed, (unsigned long long)blocks,
            (unsigned long long)rows, perp_plural((size_t)rows));
    }
    return PERP_OK;
}

/* Dims of the blocks must cover the rows. */
static perp_status save_check_dims(const double *dims, uint64_t blocks, uint64_t rows,
                                   perp_error *err)
{
    uint64_t sum = 0;

    for (uint64_t k = 0; k < blocks; k++) {
        uint64_t dim = save_get_integer(dims + k);

        if (dim == 0 || dim > rows - sum) {
            return perp_fail(err, PERP_ERR_DATA,
                             "state: block %llu has %llu row%s, expected 1 .. %llu",
                             (unsigned long long)k, (unsigned long long)dim,
                             perp_plural((size_t)dim), (unsigned long long)(rows - sum));
        }
        sum += dim;
    }
    return sum == rows ? PERP_OK
                       : perp_fail(err, PERP_ERR_DATA,
                                   "state: blocks have %llu row%s, expected %llu",
                                   (unsigned long long)sum, perp_plural((size_t)sum),
                                   (unsigned long long)rows);
}

/* Time, poses, velocities, loads and coordinates, and what the next solution starts from. */
static perp_status save_check_numbers(const perp_world *w, const double *from,
                                      size_t size, uint64_t blocks, perp_error *err)
{
    const size_t fixed = save_world_size(w);
    const size_t start = fixed + 3 * (size_t)blocks; /* behind keys, dims and pairs */
    const char *what = "time";
    size_t k = STATE_HEAD;

    if (math_finite(from + k, fixed - k) && math_finite(from + start, size - start)) {
        return PERP_OK;
    }
    while (k < size && isfinite(from[k])) {
        k += k + 1 == fixed ? start - fixed + 1 : 1;
    }
    if (k > STATE_HEAD) {
        const size_t at = k - STATE_HEAD - 1, n = w->body_count;

        what = at < 7 * n                                       ? "a pose"
               : at < 13 * n                                    ? "a velocity"
               : at < 19 * n                                    ? "a load"
               : at < 19 * n + PERP_JOINT_AXES * w->joint_count ? "an axis"
               : k < fixed                                      ? "a coordinate"
                                                                : "an impulse";
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "state: number %zu, %s, is %g, expected a finite number", k, what,
                     from[k]);
}

/* Means are stored if `end` of the state lies behind the impulses. */
static void save_load_memory(step_memory *m, const double *at, const double *end,
                             size_t blocks, size_t rows)
{
    size_t first = 0;

    for (size_t k = 0; k < blocks; k++) {
        m->keys[k] = save_get_integer(at + k);
        m->dim[k] = save_get_integer(at + blocks + k);
        m->pair[k] = save_get_integer(at + 2 * blocks + k);
        m->first[k] = first;
        first += m->dim[k];
    }
    at = save_get_reals(at + 3 * blocks, m->point, 3 * blocks);
    at = save_get_reals(at, m->z, rows);
    m->damped = at != end;
    if (m->damped) {
        save_get_reals(at, m->mean, rows);
    }
    m->blocks = blocks;
    m->rows = rows;
    m->bits = 0;
}

/* Poses, velocities and coordinates, q then qd, and what follows from them. */
static void save_load_state(const perp_world *w, perp_state *x, const double *s,
                            const double *u, const double *q)
{
    const size_t n = save_coordinates(w);

    /* trees stand on bodies, and poses that follow from q end as they were given */
    for (int pass = 0; pass < (n > 0 ? 2 : 1); pass++) {
        save_get_reals(s, x->s, 7 * w->body_count);
        save_get_reals(u, x->u, 6 * w->body_count);
        if (n > 0 && pass == 0) {
            save_get_reals(q, x->trees->q, n);
            save_get_reals(q + n, x->trees->qd, n);
            (void)perp_world_forward_kinematics(w, x,
                                                NULL); /* as it did when they were kept */
        }
    }
    perp_world_refresh(w, x);
}

perp_status perp_stepper_load(perp_stepper *st, const double *from, size_t size,
                              perp_error *err)
{
    const perp_world *w = st->world;
    perp_state *state = st->user;
    const double *at = from + STATE_HEAD;
    const double *s = NULL;
    const double *u = NULL;
    const double *axes = NULL;
    size_t blocks = 0;
    size_t rows = 0;

    TRY(world_state_check(state, w, err));
    TRY(save_check_head(st, from, size, err));
    blocks = save_get_integer(from + 3);
    rows = save_get_integer(from + 4);
    TRY(save_check_dims(from + save_world_size(w) + blocks, blocks, rows, err));
    TRY(save_check_numbers(w, from, size, blocks, err));
    TRY(step_memory_reserve(&st->memory, blocks, rows, err));
    st->step = save_get_integer(from + 5);
    state->t = *at++;
    s = at;
    u = s + 7 * w->body_count;
    at = save_get_reals(u + 6 * w->body_count, state->load, 6 * w->body_count);
    axes = at;
    save_load_state(w, state, s, u, at + PERP_JOINT_AXES * w->joint_count);
    at = save_get_reals(axes, state->axes, PERP_JOINT_AXES * w->joint_count) +
         2 * save_coordinates(w);
    save_load_memory(&st->memory, at, from + size, blocks, rows);
    st->memory.removals = w->removals;
    return PERP_OK;
}
