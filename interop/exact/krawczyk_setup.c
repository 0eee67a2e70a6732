/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk_setup.c: a problem of doubles as equations, without rounding.
 *
 * Rows and impulses are scaled by powers of two, one per block, so that the diagonal of A is near
 * 1 and the larger of impulses and velocities too. The entries of A are those that
 * perp_problem_hash reads: of a matrix in factors, its entries rounded to doubles. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "interop/exact/krawczyk.h"

static perp_status setup_slopes(krawczyk_slopes *s, slong n, perp_error *err)
{
    s->count = calloc((size_t)n + 1, sizeof *s->count);
    s->col = calloc((size_t)n + 1, KRAWCZYK_WIDTH * sizeof *s->col);
    s->value = _arb_vec_init(n * KRAWCZYK_WIDTH);
    return s->count && s->col
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "no memory for the slopes of %ld rows",
                           (long)n);
}

static void setup_slopes_free(krawczyk_slopes *s, slong n)
{
    free(s->count);
    free(s->col);
    if (s->value) {
        _arb_vec_clear(s->value, n * KRAWCZYK_WIDTH);
    }
}

/* The power of two next to x > 0, else 0. */
static slong setup_exponent(double x)
{
    return x > 0.0 && isfinite(x) ? (slong)lround(log2(x)) : 0;
}

/* --------------------------------------------------------------------- pieces */

static krawczyk_piece *setup_piece(krawczyk_map *map, size_t row)
{
    krawczyk_piece *q = &map->piece[map->count++];

    *q = (krawczyk_piece){
        .row = (slong)row, .dim = 1, .normal = KRAWCZYK_NO_ROW, .d = 1.0};
    arb_init(q->lo), arb_init(q->hi), arb_init(q->mu);
    return q;
}

static void setup_interval(krawczyk_map *map, size_t row, double lo, double hi)
{
    krawczyk_piece *q = setup_piece(map, row);
    slong scale = map->shift[row] - map->size;

    q->low = lo > -INFINITY;
    q->high = hi < INFINITY;
    if (q->low) {
        arb_set_d(q->lo, lo);
        arb_mul_2exp_si(q->lo, q->lo, scale);
    }
    if (q->high) {
        arb_set_d(q->hi, hi);
        arb_mul_2exp_si(q->hi, q->hi, scale);
    }
}

static void setup_disk(krawczyk_map *map, size_t row, slong dim, double mu, slong normal,
                       bool lifts)
{
    krawczyk_piece *q = setup_piece(map, row);
    slong scale = map->shift[row] - (normal < 0 ? map->size : map->shift[normal]);

    q->disk = true;
    q->dim = dim;
    q->normal = mu > 0.0 ? normal : KRAWCZYK_NO_ROW;
    q->lifts = lifts && mu > 0.0;
    arb_set_d(q->mu, mu);
    arb_mul_2exp_si(q->mu, q->mu, scale);
}

static void setup_block(krawczyk_map *map, const perp_block *block, bool lifts)
{
    size_t i = block->first;
    slong N = (slong)i;

    switch (block->kind) {
    case PERP_SET_FREE:
        setup_interval(map, i, -INFINITY, INFINITY);
        return;
    case PERP_SET_NONNEG:
        setup_interval(map, i, 0.0, INFINITY);
        return;
    case PERP_SET_BOX:
        setup_interval(map, i, block->lo, block->hi);
        return;
    case PERP_SET_FRICTION:
        setup_disk(map, i, 1, block->mu, (slong)block->normal, false);
        return;
    case PERP_SET_CONE:
        setup_interval(map, i, 0.0, INFINITY);
        setup_disk(map, i + 1, (slong)block->dim - 1, block->mu, N, lifts);
        return;
    case PERP_SET_ROLLING:
        setup_interval(map, i, 0.0, INFINITY);
        setup_disk(map, i + 1, 2, block->mu, N, lifts);
        setup_disk(map, i + 3, 2, block->mu_rolling, N, lifts);
        return;
    case PERP_SET_DISK:
        setup_disk(map, i, 2, block->radius, KRAWCZYK_NO_ROW, false);
        return;
    }
}

/* ---------------------------------------------------------------------- scales */

/* The units of the rows, and that of the whole problem. */
static void setup_scales(krawczyk_map *map, const perp_problem *p, const double *z)
{
    double largest = 0.0;

    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double d = 0.0;

        for (size_t i = block->first; i < block->first + block->dim; i++) {
            d = fmax(d, fabs(perp_operator_diagonal(p->A, i)));
        }
        d = d > 0.0 ? d : perp_operator_row_max(p->A, block->first);
        for (size_t i = block->first; i < block->first + block->dim; i++) {
            map->shift[i] = setup_exponent(sqrt(d));
            largest = fmax(largest, ldexp(fabs(p->b[i]), (int)-map->shift[i]));
            largest = fmax(largest, ldexp(fabs(z[i]), (int)map->shift[i]));
        }
    }
    map->size = setup_exponent(largest);
}

/* ---------------------------------------------------------------------- numbers */

typedef struct setup_row {
    krawczyk_map *map;
    slong i;
} setup_row;

static void setup_entry(void *context, size_t j, double a)
{
    const setup_row *row = context;
    arb_ptr to = arb_mat_entry(row->map->A, row->i, (slong)j);

    arb_set_d(to, a);
    arb_mul_2exp_si(to, to, -row->map->shift[row->i] - row->map->shift[j]);
}

static void setup_numbers(krawczyk_map *map, const perp_problem *p)
{
    setup_row row = {.map = map};

    for (slong i = 0; i < map->n; i++) {
        row.i = i;
        perp_operator_row_visit(p->A, (size_t)i, setup_entry, &row);
        arb_set_d(map->b + i, p->b[i]);
        arb_mul_2exp_si(map->b + i, map->b + i, -map->shift[i] - map->size);
    }
}

/* x = z - w, where w_N of the associated law is without its share of |w_T|. */
static void setup_point(krawczyk_map *map, const double *z)
{
    for (slong i = 0; i < map->n; i++) {
        arb_set_d(map->Z + i, z[i]);
        arb_mul_2exp_si(map->Z + i, map->Z + i, map->shift[i] - map->size);
    }
    for (slong i = 0; i < map->n; i++) {
        arb_dot(map->W + i, map->b + i, 0, arb_mat_entry(map->A, i, 0), 1, map->Z, 1,
                map->n, map->prec);
    }
    for (slong k = 0; k < map->count; k++) {
        const krawczyk_piece *q = &map->piece[k];
        arb_t size;

        if (q->lifts) {
            arb_init(size);
            arb_abs(size, map->W + q->row);
            if (q->dim == 2) {
                arb_hypot(size, map->W + q->row, map->W + q->row + 1, map->prec);
            }
            arb_submul(map->W + q->normal, q->mu, size, map->prec);
            arb_clear(size);
        }
    }
    for (slong i = 0; i < map->n; i++) {
        arb_sub(map->x + i, map->Z + i, map->W + i, map->prec);
        arb_get_mid_arb(map->x + i, map->x + i);
    }
}

perp_status krawczyk_map_init(krawczyk_map *map, const perp_problem *p, const double *z,
                              slong prec, perp_error *err)
{
    perp_status status = PERP_OK;

    *map = (krawczyk_map){.n = (slong)p->n, .prec = prec};
    arb_mat_init(map->A, map->n, map->n);
    map->b = _arb_vec_init(map->n);
    map->x = _arb_vec_init(map->n);
    map->Z = _arb_vec_init(map->n);
    map->W = _arb_vec_init(map->n);
    map->F = _arb_vec_init(map->n);
    map->tangent = _arb_vec_init(map->n);
    map->d = _arb_vec_init(map->n);
    map->shift = calloc(p->n + 1, sizeof *map->shift);
    map->piece = calloc(p->n + 1, sizeof *map->piece); /* each has a row of its own */
    if (!map->shift || !map->piece) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu equations", p->n);
    }
    if (status == PERP_OK) {
        status = setup_slopes(&map->dZ, map->n, err);
    }
    if (status == PERP_OK) {
        status = setup_slopes(&map->dy, map->n, err);
    }
    if (status == PERP_OK) {
        setup_scales(map, p, z);
        for (size_t k = 0; k < p->set->count; k++) {
            setup_block(map, &p->set->blocks[k], p->law == PERP_LAW_ASSOCIATED);
        }
        setup_numbers(map, p);
        setup_point(map, z);
    }
    return status;
}

void krawczyk_map_clear(krawczyk_map *map)
{
    for (slong k = 0; k < map->count; k++) {
        arb_clear(map->piece[k].lo);
        arb_clear(map->piece[k].hi);
        arb_clear(map->piece[k].mu);
    }
    arb_mat_clear(map->A);
    _arb_vec_clear(map->b, map->n);
    _arb_vec_clear(map->x, map->n);
    _arb_vec_clear(map->Z, map->n);
    _arb_vec_clear(map->W, map->n);
    _arb_vec_clear(map->F, map->n);
    _arb_vec_clear(map->tangent, map->n);
    _arb_vec_clear(map->d, map->n);
    setup_slopes_free(&map->dZ, map->n);
    setup_slopes_free(&map->dy, map->n);
    free(map->shift);
    free(map->piece);
}
