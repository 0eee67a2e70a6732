/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk.c: solutions of friction problems, enclosed by the operator of Krawczyk.
 *
 * The complementarity conditions are written as equations F(x) = 0 without classes
 * (krawczyk_map.c), a zero near the given z is found by Newton's method in 256 or 512 bits and
 * enclosed (krawczyk_newton.c). Where rows depend on each other, a regular part is enclosed with
 * the other unknowns held (krawczyk_part.c). */
#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/judge.h>

#include "base/base.h"
#include "base/number.h"
#include "interop/exact/krawczyk.h"

/* What is needed while a proof is sought. */
typedef struct krawczyk_job {
    const perp_problem *p;
    const double *z;
    double seconds, until; /* that it may take; by perp_clock */
    exact_proof *proof;
    krawczyk_map map;
    krawczyk_part part;
    slong bits;         /* of the factors: pivots that differ by more count as singular */
    signed char *state; /* of the rows at the given point */
    double *s;          /* scales of the rows */
} krawczyk_job;

static void krawczyk_says(exact_proof *proof, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void krawczyk_says(exact_proof *proof, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(proof->says, sizeof proof->says, format, list);
    va_end(list);
}

/* "row 7, cone 2" */
static void krawczyk_place(const perp_problem *p, size_t row, char *text, size_t size)
{
    size_t k = perp_set_block_at(p->set, row);

    snprintf(text, size, "row %zu, of the %s %zu", row,
             perp_set_kind_name(p->set->blocks[k].kind), k);
}

/* ----------------------------------------------------------------------- states */

/* 0: w = 0 and z is free; -1, 1: on a bound; 2: on a bound with w = 0, as far as the box shows. Of
 * a disk in all its rows. */
static signed char krawczyk_state(const krawczyk_map *map, const krawczyk_piece *q)
{
    const arb_struct *x = map->x + q->row;
    signed char state = 0;

    if (!q->disk) {
        arb_srcptr w = map->W + q->row;

        if (q->low && arb_le(x, q->lo)) {
            state = -1;
        } else if (q->high && arb_ge(x, q->hi)) {
            state = 1;
        } else if (!arb_is_zero(w) && !(q->low && arb_gt(x, q->lo))) {
            state = 2;
        }
        return state;
    }
    if (q->polar) {
        return arb_is_positive(x) ? 1 : arb_is_negative(x) ? 0 : 2;
    }
    for (slong i = 0; i < q->dim; i++) {
        state = arb_is_zero(map->W + q->row + i) ? state : 1;
    }
    return state;
}

static void krawczyk_states(const krawczyk_map *map, signed char *state)
{
    for (slong k = 0; k < map->count; k++) {
        const krawczyk_piece *q = &map->piece[k];

        for (slong i = 0; i < q->dim; i++) {
            state[q->row + i] = krawczyk_state(map, q);
        }
    }
}

/* ------------------------------------------------------------------- what is shown */

/* An upper bound as a double. */
static double krawczyk_upper(const arf_t x)
{
    return arf_get_d(x, ARF_RND_UP); /* at least 2^-1074 where x > 0 */
}

/* Distances of z from the box of solutions. */
static void krawczyk_distances(krawczyk_job *job)
{
    exact_proof *proof = job->proof;
    arb_t x, z;
    arf_t size;

    arb_init(x), arb_init(z), arf_init(size);
    proof->delta = 0.0;
    for (size_t i = 0; i < job->p->n; i++) {
        krawczyk_map_z(&job->map, (slong)i, x);
        arb_set_d(z, job->z[i]);
        arb_sub(x, x, z, job->map.prec);
        arb_get_abs_ubound_arf(size, x, 64);
        proof->distance[i] = krawczyk_upper(size);
        proof->delta = fmax(proof->delta, proof->distance[i]);
    }
    arb_clear(x), arb_clear(z), arf_clear(size);
}

/* How many rows have another state than at the given point, and how many pieces are at a kink. */
static perp_status krawczyk_changes(krawczyk_job *job, size_t *kinks, perp_error *err)
{
    signed char *state = calloc(job->p->n + 1, 1);

    if (!state) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the states of %zu rows",
                         job->p->n);
    }
    krawczyk_states(&job->map, state);
    *kinks = job->proof->changes = 0;
    for (size_t i = 0; i < job->p->n; i++) {
        *kinks += state[i] == 2;
        job->proof->changes += state[i] != 2 && state[i] != job->state[i];
    }
    free(state);
    return PERP_OK;
}

static perp_status krawczyk_proved(krawczyk_job *job, perp_error *err)
{
    exact_proof *proof = job->proof;
    slong held = job->map.n - job->part.m;
    size_t kinks = 0;
    char note[160] = "", room[PERP_NUMBER_LENGTH];
    perp_status status = krawczyk_changes(job, &kinks, err);

    proof->verdict = EXACT_PROVED;
    proof->unique = held == 0;
    if (held > 0) {
        snprintf(
            note, sizeof note,
            "; one of many: %ld impulse%s are held, as many rows follow from the others",
            (long)held, perp_plural((size_t)held));
    } else if (kinks > 0) {
        snprintf(note, sizeof note, "; %zu row%s on two boundaries at once", kinks,
                 perp_plural(kinks));
    }
    krawczyk_says(proof,
                  "an exact solution is within %s of each impulse, enclosed in balls of "
                  "%ld bit%s%s",
                  perp_number_above(room, proof->delta), (long)job->map.prec,
                  perp_plural((size_t)job->map.prec), note);
    return status;
}

/* A regular part is enclosed, the spare rows are not implied: what that shows. */
static void krawczyk_near(krawczyk_job *job)
{
    const krawczyk_map *map = &job->map;
    slong held = map->n - job->part.m;
    double most = 0.0;
    char within[PERP_NUMBER_LENGTH], change[PERP_NUMBER_LENGTH];
    arb_t w;
    arf_t size;

    arb_init(w), arf_init(size);
    for (slong k = 0; k < held; k++) {
        slong i = job->part.spare[k];

        arb_mul_2exp_si(w, map->F + i, map->size + map->shift[i]);
        arb_get_abs_ubound_arf(size, w, 64);
        most = fmax(most, krawczyk_upper(size));
    }
    krawczyk_says(
        job->proof,
        "the equations are singular to the digits of doubles: with %ld impulse%s "
        "held, a point within %s solves the problem with b changed by at most "
        "%s in %ld row%s, the first of them row %ld",
        (long)held, perp_plural((size_t)held),
        perp_number_above(within, job->proof->delta), perp_number_above(change, most),
        (long)held, perp_plural((size_t)held), (long)job->part.spare[0]);
    arb_clear(w), arf_clear(size);
}

static void krawczyk_open(krawczyk_job *job, krawczyk_end end, slong row)
{
    char place[96], room[PERP_NUMBER_LENGTH];

    krawczyk_place(job->p, (size_t)row, place, sizeof place);
    switch (end) {
    case KRAWCZYK_DONE:
        krawczyk_says(job->proof, "a radius of friction may be negative: %s", place);
        return;
    case KRAWCZYK_SINGULAR:
        krawczyk_says(
            job->proof,
            "the Jacobian of the conditions is singular to %ld bit%s: impulses are "
            "not unique, or a contact is at two boundaries at once; largest "
            "error: %s",
            (long)job->bits, perp_plural((size_t)job->bits), place);
        return;
    case KRAWCZYK_WANDERS:
        krawczyk_says(
            job->proof,
            "Newton's method finds no solution from this point; largest error: %s",
            place);
        return;
    case KRAWCZYK_WIDE:
        krawczyk_says(job->proof,
                      "the operator of Krawczyk does not contract: %s, is the row that "
                      "widens most",
                      place);
        return;
    case KRAWCZYK_FAR:
        krawczyk_says(job->proof,
                      "an exact solution is within %s of each impulse, too far from "
                      "this answer to prove it",
                      perp_number_above(room, job->proof->delta));
        return;
    case KRAWCZYK_LATE:
        krawczyk_says(job->proof, "%zu row%s would take more than the time of %g s",
                      job->p->n, perp_plural(job->p->n), job->seconds);
        return;
    }
}

/* --------------------------------------------------------------------- attempts */

/* The row with the largest |F| at map->x. */
static slong krawczyk_worst(krawczyk_map *map)
{
    slong worst = 0;
    mag_t most, one;

    mag_init(most), mag_init(one);
    krawczyk_map_at(map, map->x);
    for (slong i = 0; i < map->n; i++) {
        arb_get_mag(one, map->F + i);
        if (mag_cmp(one, most) > 0) {
            mag_set(most, one);
            worst = i;
        }
    }
    mag_clear(most), mag_clear(one);
    return worst;
}

/* A zero found and enclosed; where that fails, the row that says so. */
static perp_status krawczyk_seek(krawczyk_job *job, bool doubles, krawczyk_end *end,
                                 slong *row, perp_error *err)
{
    krawczyk_factors factors;
    perp_status status = PERP_OK;

    if (krawczyk_factors_init(&factors, job->part.m, doubles)) {
        *end = krawczyk_newton(&job->map, &job->part, &factors, job->until);
        *row = krawczyk_worst(&job->map);
        if (*end == KRAWCZYK_DONE) {
            *end = krawczyk_enclose(&job->map, &job->part, &factors, job->until);
            *row = job->map.worst;
        }
    } else {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for the Jacobian of %zu rows",
                           job->p->n);
    }
    krawczyk_factors_clear(&factors);
    return status;
}

/* What is sought, and with what. */
typedef struct krawczyk_way {
    slong prec;
    bool doubles; /* factors of doubles */
    bool whole;   /* all equations, or the regular part of them */
} krawczyk_way;

/* Say what a search has shown. */
static perp_status krawczyk_conclude(krawczyk_job *job, bool whole, krawczyk_end *end,
                                     slong row, perp_error *err)
{
    if (*end == KRAWCZYK_DONE && !krawczyk_map_valid(&job->map, &row)) {
        krawczyk_open(job, KRAWCZYK_DONE, row);
        *end = KRAWCZYK_WIDE;
        return PERP_OK;
    }
    if (*end != KRAWCZYK_DONE) {
        krawczyk_open(job, *end, row);
        return PERP_OK;
    }
    krawczyk_distances(job);
    if (!whole && job->part.m < job->map.n &&
        !krawczyk_part_implies(&job->part, &job->map)) {
        krawczyk_near(job);
        return PERP_OK;
    }
    if (!exact_is_near(job->p, job->s, job->z, job->proof->distance)) {
        *end = KRAWCZYK_FAR;
        krawczyk_open(job, *end, row);
        return PERP_OK;
    }
    return krawczyk_proved(job, err);
}

static perp_status krawczyk_try(krawczyk_job *job, krawczyk_way way, krawczyk_end *end,
                                perp_error *err)
{
    slong row = 0;
    perp_status status = PERP_OK;

    job->bits = way.doubles ? 43 : way.prec / 2;
    status = krawczyk_map_init(&job->map, job->p, job->z, way.prec, err);

    if (status == PERP_OK) {
        status = krawczyk_part_init(&job->part, job->map.n, err);
    }
    if (status == PERP_OK) {
        krawczyk_map_at(&job->map, job->map.x);
        krawczyk_states(&job->map, job->state);
        if (!way.whole && !krawczyk_part_reduce(&job->part, &job->map)) {
            status = perp_fail(err, PERP_ERR_MEMORY, "no memory for the rank of %zu rows",
                               job->p->n);
        }
    }
    if (status == PERP_OK) {
        status = krawczyk_seek(job, way.doubles, end, &row, err);
    }
    if (status == PERP_OK) {
        status = krawczyk_conclude(job, way.whole, end, row, err);
    }
    krawczyk_part_clear(&job->part);
    krawczyk_map_clear(&job->map);
    job->part = (krawczyk_part){0};
    return status;
}

/* What was left open: the last sentence on a part, which is a theorem, else that on all rows, or
 * that the time was over, which says why there was no other attempt. */
static void krawczyk_leave(krawczyk_job *job, const char *says, bool near, bool late)
{
    exact_proof *proof = job->proof;
    size_t length = 0;

    if (!late || near) {
        memcpy(proof->says, says, sizeof proof->says);
    }
    if (late && near) {
        length = strlen(proof->says);
        snprintf(proof->says + length, sizeof proof->says - length,
                 "; the time of %g s was over before another attempt", job->seconds);
    }
}

/* All rows, or a regular part of them, with factors of doubles; then with more digits. */
static perp_status krawczyk_attempts(krawczyk_job *job, perp_error *err)
{
    static const krawczyk_way ways[] = {{256, true, true},
                                        {256, true, false},
                                        {256, false, true},
                                        {512, false, true},
                                        {256, false, false}};
    char says[sizeof job->proof->says] = "";
    bool near = false;
    krawczyk_end end = KRAWCZYK_SINGULAR;
    perp_status status = PERP_OK;

    for (size_t k = 0; k < sizeof ways / sizeof *ways && end != KRAWCZYK_LATE; k++) {
        bool again = ways[k].prec > 256 && end != KRAWCZYK_WIDE;

        if (again || (near && !ways[k].whole)) {
            continue; /* more bits do not help */
        }
        status = krawczyk_try(job, ways[k], &end, err);
        if (status != PERP_OK || job->proof->verdict == EXACT_PROVED) {
            return status;
        }
        if (k == 0 || (!near && (end == KRAWCZYK_DONE || end == KRAWCZYK_FAR))) {
            memcpy(says, job->proof->says, sizeof says);
            near = end == KRAWCZYK_DONE;
        }
    }
    krawczyk_leave(job, says, near, end == KRAWCZYK_LATE);
    return PERP_OK;
}

perp_status exact_krawczyk(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err)
{
    krawczyk_job job = {.p = p,
                        .z = z,
                        .seconds = seconds,
                        .until = perp_clock() + seconds,
                        .proof = proof};
    perp_status status = PERP_OK;

    if (!p->A) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "a global problem is proved in its condensed form");
    }
    *proof = (exact_proof){.verdict = EXACT_OPEN, .method = "krawczyk"};
    for (size_t i = 0; i < p->n; i++) {
        if (!isfinite(z[i])) {
            krawczyk_says(proof, "row %zu is %g", i, z[i]);
            return PERP_OK;
        }
    }
    proof->distance = calloc(p->n + 1, sizeof *proof->distance);
    job.state = calloc(p->n + 1, 1);
    job.s = perp_reals_new(p->n);
    if (job.s && perp_row_scales(p, job.s, err) != PERP_OK) {
        free(job.s);
        job.s = NULL;
    }
    if (p->n == 0) {
        proof->verdict = EXACT_PROVED;
        proof->unique = true;
        krawczyk_says(proof, "a problem without rows has one solution");
    }
    status = proof->distance && job.state && job.s
                 ? (p->n > 0 ? krawczyk_attempts(&job, err) : PERP_OK)
                 : perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu distances", p->n);
    free(job.state);
    free(job.s);
    flint_cleanup();
    return status;
}
