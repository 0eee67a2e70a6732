/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos_read.c: read LCPs, relay and contact problems of the Siconos text format.
 *
 *     LCP      n M q                       relay    n M q lb ub
 *     contact  dim contacts M q mu         global   dim contacts M H q b mu
 *     rolling  the same with dim 5, then mu_r
 *
 * A global problem reads M v = q + H r, u = H^T v + b. Whatever follows is ignored. */
#include <config.h>

#include "base/base.h"
#include "sets.h"
#include "siconos.h"

/* Numbers after q that could be lb and ub. */
static bool tail_is_bounds(siconos_reading *r, size_t n)
{
    bool only = false;
    size_t count = perp_scan_numbers_ahead(&r->scan, 2 * n + 1, &only);

    switch (r->kind == SICONOS_KIND_ANY ? r->hint : r->kind) {
    case SICONOS_KIND_RELAY: /* too few numbers are an error; without any it is an LCP */
        return r->kind == SICONOS_KIND_RELAY || count > 0;
    case SICONOS_KIND_LCP:
        return false;
    default:
        break;
    }
    if (n == 0 || count != 2 * n || !only) {
        return false;
    }
    perp_note(&r->notes, "read as a relay problem, since 2n numbers follow q; kind lcp "
                         "ignores them");
    return true;
}

/* lb or ub: infinity is a bound. */
static perp_status read_bounds(siconos_reading *r, const char *name, size_t n,
                               const double *above, double **x)
{
    perp_scan *s = &r->scan;

    if (n > perp_scan_room(s)) {
        return perp_scan_fail(s, PERP_ERR_READ,
                              "%s has %zu numbers, the file at most %zu", name, n,
                              perp_scan_room(s));
    }
    *x = perp_reals_new(n);
    if (!*x) {
        return perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory for bounds", s->path);
    }
    for (size_t i = 0; i < n; i++) {
        perp_scan_fault fault = perp_scan_real(s, *x + i);

        if (fault != PERP_SCAN_GOOD && fault != PERP_SCAN_INFINITE) {
            return perp_scan_refuse(s, fault, "%s[%zu]", name, i);
        }
        if (above && (*x)[i] < above[i]) {
            return perp_scan_fail(s, PERP_ERR_DATA,
                                  "ub[%zu] is %g, expected at least lb[%zu] = %g", i,
                                  (*x)[i], i, above[i]);
        }
    }
    return PERP_OK;
}

static perp_status read_relay_set(siconos_reading *r, size_t n)
{
    perp_scan *s = &r->scan;
    double *lb = NULL;
    double *ub = NULL;
    perp_status status = read_bounds(r, "lb", n, NULL, &lb);

    if (status == PERP_OK) {
        status = read_bounds(r, "ub", n, lb, &ub);
    }
    if (status == PERP_OK) {
        status = perp_set_new(&r->p->set, n, s->err);
    }
    for (size_t i = 0; status == PERP_OK && i < n; i++) {
        perp_set_add_bounds(r->p->set, lb[i], ub[i]);
    }
    free(lb);
    free(ub);
    return status;
}

perp_status perp_siconos_read_lcp(siconos_reading *r)
{
    perp_scan *s = &r->scan;
    size_t n = 0;

    TRY(perp_scan_size(s, "n", 0, perp_scan_room(s), &n));
    TRY(perp_siconos_read_matrix(s, "M", n, n, 1, &r->p->A, NULL, &r->notes));
    TRY(perp_scan_reals(s, "q", n, &r->p->b));
    r->p->n = n;
    if (tail_is_bounds(r, n)) {
        return read_relay_set(r, n);
    }
    return perp_set_new_uniform(&r->p->set, PERP_SET_NONNEG, n, s->err);
}

/* After M: do the sizes of H follow, and enough numbers for all the rest? A local problem
 * has q and mu there, which can look like the sizes, but no local file is that long. */
static bool global_follows(const siconos_reading *r, size_t dim, size_t contacts)
{
    perp_scan ahead = r->scan;
    size_t n = r->p->A->rows;
    size_t m = dim * contacts;
    int64_t head[3] = {0};
    bool only = false;
    size_t least = n + m + contacts;

    for (size_t k = 0; k < 3; k++) {
        if (perp_scan_integer(&ahead, &head[k]) != PERP_SCAN_GOOD) {
            return false;
        }
    }
    if (head[0] < 0 || head[0] > 2 || head[1] != (int64_t)n || head[2] != (int64_t)m) {
        return false;
    }
    return n != m || perp_scan_numbers_ahead(&ahead, least, &only) == least;
}

/* mu, or mu_r: not negative. */
perp_status perp_siconos_read_friction(siconos_reading *r, const char *name,
                                       size_t contacts, double **mu)
{
    perp_status status = perp_scan_reals(&r->scan, name, contacts, mu);

    for (size_t k = 0; status == PERP_OK && k < contacts; k++) {
        if ((*mu)[k] < 0.0) {
            status = perp_scan_fail(&r->scan, PERP_ERR_DATA,
                                    "%s[%zu] is %g, expected a number >= 0", name, k,
                                    (*mu)[k]);
        }
    }
    return status;
}

static perp_status read_cones(siconos_reading *r, size_t dim, size_t contacts)
{
    double *mu = NULL;
    double *mu_rolling = NULL;
    perp_status status = perp_siconos_read_friction(r, "mu", contacts, &mu);

    if (status == PERP_OK && dim == 5) {
        status = perp_siconos_read_friction(r, "mu_r", contacts, &mu_rolling);
    }
    if (status == PERP_OK) {
        status = perp_set_new(&r->p->set, contacts, r->scan.err);
    }
    for (size_t k = 0; status == PERP_OK && k < contacts; k++) {
        if (dim == 5) {
            perp_set_add_rolling(r->p->set, mu[k], mu_rolling[k]);
        } else {
            perp_set_add_cone(r->p->set, (unsigned)dim, mu[k]);
        }
    }
    free(mu);
    free(mu_rolling);
    return status;
}

typedef struct gathering {
    perp_triplets t;
    size_t row;
} gathering;

static void gather_nonzero(void *context, size_t j, double a)
{
    gathering *g = context;

    if (a != 0.0 || signbit(a)) {
        perp_triplets_add(&g->t, g->row, j, a);
    }
}

/* CSR of a matrix that was stored in blocks, without the zeros that fill them: the blocks of
 * bodies by contacts are those of the writer, not of the problem. */
static perp_status drop_filling(perp_operator **A, perp_error *err)
{
    perp_operator *old = *A;
    gathering g = {.row = 0};
    perp_status status = PERP_OK;

    perp_triplets_init(&g.t, old->rows, old->cols,
                       old->count * old->block_size * old->block_size);
    status = perp_triplets_status(&g.t, err);
    for (; status == PERP_OK && g.row < old->rows; g.row++) {
        perp_operator_row_visit(old, g.row, gather_nonzero, &g);
    }
    if (status == PERP_OK) {
        status = perp_triplets_finish(A, &g.t, err);
        *A = status == PERP_OK ? *A : old;
    }
    if (*A != old) {
        perp_operator_free(old);
    }
    perp_triplets_free(&g.t);
    return status;
}

/* Whether the matrix that starts at s is stored in blocks. */
static bool starts_blocks(const perp_scan *s)
{
    perp_scan ahead = *s;
    int64_t storage = 0;

    return perp_scan_integer(&ahead, &storage) == PERP_SCAN_GOOD && storage == 1;
}

/* M is read; move it to the global part and read H and q. */
static perp_status read_global(siconos_reading *r, size_t m, bool M_in_blocks)
{
    perp_scan *s = &r->scan;
    perp_global *g = calloc(1, sizeof *g);
    size_t n = r->p->A->rows;
    bool H_in_blocks = starts_blocks(s);
    perp_status status = PERP_OK;

    r->p->global = g;
    if (!g) {
        return perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory", s->path);
    }
    g->M = r->p->A;
    r->p->A = NULL;
    if (M_in_blocks) {
        status = drop_filling(&g->M, s->err);
    }
    if (status == PERP_OK) {
        status = perp_siconos_read_matrix(s, "H", n, m, 1, &g->H, NULL, &r->notes);
    }
    if (status == PERP_OK && H_in_blocks) {
        status = drop_filling(&g->H, s->err);
    }
    if (status == PERP_OK) {
        status = perp_scan_reals(s, "q", n, &g->f);
    }
    return status == PERP_OK ? perp_scan_reals(s, "b", m, &r->p->b) : status;
}

/* Compare the dimension with the kind that was asked for. */
static perp_status check_contact_kind(const siconos_reading *r, size_t dim)
{
    static const size_t dims[SICONOS_KIND_COUNT] = {
        [SICONOS_KIND_FC2D] = 2,  [SICONOS_KIND_FC3D] = 3,    [SICONOS_KIND_GFC2D] = 2,
        [SICONOS_KIND_GFC3D] = 3, [SICONOS_KIND_ROLLING] = 5,
    };

    if (dims[r->kind] && dims[r->kind] != dim) {
        return perp_scan_fail(&r->scan, PERP_ERR_FORMAT,
                              "dimension is %zu, expected %zu for this kind", dim,
                              dims[r->kind]);
    }
    return PERP_OK;
}

static bool is_global(const siconos_reading *r, size_t dim, size_t contacts)
{
    if (r->kind == SICONOS_KIND_FC2D || r->kind == SICONOS_KIND_FC3D) {
        return false;
    }
    return r->kind == SICONOS_KIND_GFC2D || r->kind == SICONOS_KIND_GFC3D ||
           global_follows(r, dim, contacts);
}

perp_status perp_siconos_read_contact(siconos_reading *r)
{
    perp_scan *s = &r->scan;
    size_t dim = 0;
    size_t contacts = 0;
    size_t m = 0;
    bool in_blocks = false;
    perp_status status = PERP_OK;

    TRY(perp_scan_size(s, "dimension", 2, 5, &dim));
    if (dim == 4) {
        TRY(perp_scan_fail(s, PERP_ERR_FORMAT, "dimension is 4, expected 2, 3 or 5"));
    }
    TRY(check_contact_kind(r, dim));
    TRY(perp_scan_size(s, "number of contacts", 0, perp_scan_room(s), &contacts));
    in_blocks = starts_blocks(s);
    TRY(perp_siconos_read_matrix(s, "M", SICONOS_ANY, SICONOS_SQUARE, dim, &r->p->A, NULL,
                                 &r->notes));
    m = dim * contacts;
    r->p->n = m;
    if (is_global(r, dim, contacts)) {
        status = read_global(r, m, in_blocks);
    } else if (r->p->A->rows != m) {
        return perp_scan_fail(
            s, PERP_ERR_FORMAT,
            "M has %zu row%s, expected %zu x %zu contacts, or H after M", r->p->A->rows,
            perp_plural(r->p->A->rows), dim, contacts);
    } else {
        status = perp_scan_reals(s, "q", m, &r->p->b);
    }
    return status == PERP_OK ? read_cones(r, dim, contacts) : status;
}
