/* SPDX-License-Identifier: Apache-2.0
 * core/set.c: blocks of K and the projections onto them. */
#include <config.h>

#include "base/base.h"
#include "core/solvers.h"

perp_status perp_set_new(perp_set **set, size_t capacity, perp_error *err)
{
    if (perp_check_arguments(set, "perp_set_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    *set = calloc(1, sizeof **set);
    if (*set) {
        (*set)->blocks = calloc(capacity ? capacity : 1, sizeof *(*set)->blocks);
        (*set)->capacity = capacity;
    }
    if (!*set || !(*set)->blocks) {
        perp_set_free(*set);
        *set = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu blocks of a set",
                         capacity);
    }
    return PERP_OK;
}

void perp_set_free(perp_set *set)
{
    if (set) {
        free(set->blocks);
        free(set);
    }
}

perp_status perp_set_copy(perp_set **out, const perp_set *set, perp_error *err)
{
    if (perp_check_arguments(out && set, "perp_set_copy", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_status status = perp_set_new(out, set->count, err);

    if (status == PERP_OK) {
        (*out)->n = set->n;
        (*out)->count = set->count;
        memcpy((*out)->blocks, set->blocks, set->count * sizeof *set->blocks);
    }
    return status;
}

/* Twice the memory where the capacity is used up. */
static perp_status set_grow(perp_set *set)
{
    size_t capacity = set->capacity ? set->capacity : 4;
    size_t bytes = 0;
    void *blocks = NULL;

    if (perp_mul(2 * sizeof *set->blocks, capacity, &bytes)) {
        blocks = realloc(set->blocks, bytes);
    }
    if (!blocks) {
        return PERP_ERR_MEMORY;
    }
    set->blocks = blocks;
    set->capacity = 2 * capacity;
    return PERP_OK;
}

static perp_status set_add(perp_set *set, perp_block block)
{
    if (!set) {
        return PERP_ERR_ARGUMENT;
    }
    if (set->count >= set->capacity) {
        TRY(set_grow(set));
    }
    block.first = set->n;
    set->n += block.dim;
    set->blocks[set->count++] = block;
    return PERP_OK;
}

perp_status perp_set_add_free(perp_set *set)
{
    return set_add(
        set,
        (perp_block){.kind = PERP_SET_FREE, .dim = 1, .lo = -INFINITY, .hi = INFINITY});
}

perp_status perp_set_add_nonneg(perp_set *set)
{
    return set_add(set, (perp_block){.kind = PERP_SET_NONNEG, .dim = 1, .hi = INFINITY});
}

perp_status perp_set_add_box(perp_set *set, double lo, double hi)
{
    return set_add(set, (perp_block){.kind = PERP_SET_BOX, .dim = 1, .lo = lo, .hi = hi});
}

perp_status perp_set_add_friction(perp_set *set, double mu, size_t normal)
{
    return set_add(
        set,
        (perp_block){.kind = PERP_SET_FRICTION, .dim = 1, .mu = mu, .normal = normal});
}

perp_status perp_set_add_cone(perp_set *set, unsigned dim, double mu)
{
    return set_add(set, (perp_block){.kind = PERP_SET_CONE, .dim = dim, .mu = mu});
}

perp_status perp_set_add_rolling(perp_set *set, double mu, double mu_rolling)
{
    return set_add(
        set, (perp_block){
                 .kind = PERP_SET_ROLLING, .dim = 5, .mu = mu, .mu_rolling = mu_rolling});
}

perp_status perp_set_add_disk(perp_set *set, double radius)
{
    return set_add(set, (perp_block){.kind = PERP_SET_DISK, .dim = 2, .radius = radius});
}

perp_status perp_set_new_uniform(perp_set **set, perp_set_kind kind, size_t n,
                                 perp_error *err)
{
    if (perp_check_arguments(set, "perp_set_new_uniform", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_status status = PERP_OK;

    if (kind != PERP_SET_NONNEG && kind != PERP_SET_FREE) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "a set of %zu equal rows: expected NONNEG or FREE rows", n);
    }
    status = perp_set_new(set, n, err);
    for (size_t i = 0; status == PERP_OK && i < n; i++) {
        status =
            kind == PERP_SET_FREE ? perp_set_add_free(*set) : perp_set_add_nonneg(*set);
    }
    return status;
}

perp_status perp_set_new_cones(perp_set **set, unsigned dim, size_t nc, const double *mu,
                               perp_error *err)
{
    if (perp_check_arguments(set && (mu || nc == 0), "perp_set_new_cones", err) !=
        PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    if (dim != 2 && dim != 3) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "a cone of dimension %u, expected 2 or 3", dim);
    }
    TRY(perp_set_new(set, nc, err));
    for (size_t k = 0; k < nc; k++) {
        TRY(perp_set_add_cone(*set, dim, mu[k]));
    }
    return PERP_OK;
}

const char *perp_set_kind_name(perp_set_kind kind)
{
    switch (kind) {
#define PERP_CASE(name, bit, text)                                                       \
    case name:                                                                           \
        return text;
        PERP_SET_LIST(PERP_CASE)
#undef PERP_CASE
    }
    return NULL;
}

unsigned perp_set_kinds(const perp_set *set)
{
    unsigned kinds = 0;

    for (size_t k = 0; k < set->count; k++) {
        kinds |= (unsigned)set->blocks[k].kind;
    }
    return kinds;
}

size_t perp_set_block_size(const perp_set *set)
{
    for (size_t k = 1; k < set->count; k++) {
        if (set->blocks[k].dim != set->blocks[0].dim) {
            return 1;
        }
    }
    return set->count ? set->blocks[0].dim : 1;
}

void perp_block_bounds(const perp_block *k, const double *z, double *lo, double *hi)
{
    if (k->kind == PERP_SET_FRICTION) {
        double bound = k->mu * fmax(z[k->normal], 0.0);

        *lo = -bound;
        *hi = bound;
    } else {
        *lo = k->lo;
        *hi = k->hi;
    }
}

static double set_clip(double x, double lo, double hi)
{
    return x < lo ? lo : (x > hi ? hi : x);
}

double perp_row_load(const perp_block *block, double s, double b)
{
    double lo = 0.0, hi = 0.0, start = 0.0;

    if (block->kind == PERP_SET_FRICTION) {
        return fabs(b) / s;
    }
    perp_block_bounds(block, NULL, &lo, &hi);
    start = set_clip(0.0, s * lo, s * hi);
    return fabs(set_clip(start - b / s, s * lo, s * hi) - start);
}

void perp_project_cone(double mu, unsigned dim, double *x)
{
    double n = x[0];
    double a = perp_tangent_norm(x + 1, dim - 1);

    if (n >= 0.0 && a <= mu * n) { /* with mu = 0 the second holds for n < 0, too */
        return;
    }
    if (mu * a <= -n) {
        memset(x, 0, dim * sizeof *x);
        return;
    }
    x[0] = (n + mu * a) / (1.0 + mu * mu);
    for (unsigned i = 1; i < dim; i++) {
        x[i] *= a > 0.0 ? mu * x[0] / a : 0.0;
    }
}

/* Each subset of the parts {t, m} may be active, that is, on its bound. For each of
 * the four subsets, n minimises the distance with that subset active; the nearest of
 * the four clipped points is the projection. */
void perp_project_rolling(double mu, double mu_rolling, double *x)
{
    double a = hypot(x[1], x[2]);
    double c = hypot(x[3], x[4]);
    double size = fmax(fabs(x[0]), fmax(a, c));
    double unit = size > 0.0 ? size : 1.0; /* against overflow of the squares */
    double best = INFINITY;
    double n_best = 0.0;

    for (unsigned choice = 0; choice < 4; choice++) {
        double on_t = choice & 1 ? mu : 0.0;
        double on_m = choice & 2 ? mu_rolling : 0.0;
        double n =
            fmax(0.0, (x[0] + on_t * a + on_m * c) / (1.0 + on_t * on_t + on_m * on_m));
        double dn = (n - x[0]) / unit;
        double dt = fmax(a - mu * n, 0.0) / unit;
        double dm = fmax(c - mu_rolling * n, 0.0) / unit;
        double distance = dn * dn + dt * dt + dm * dm;

        if (distance < best) {
            best = distance;
            n_best = n;
        }
    }
    x[0] = n_best;
    for (unsigned i = 1; i < 3; i++) {
        x[i] *= a > mu * n_best ? mu * n_best / a : 1.0;
        x[i + 2] *= c > mu_rolling * n_best ? mu_rolling * n_best / c : 1.0;
    }
}

void perp_set_project(const perp_set *set, size_t k, double *z)
{
    const perp_block *block = &set->blocks[k];
    double *x = z + block->first;
    double lo = 0.0;
    double hi = 0.0;
    double a = 0.0;

    switch (block->kind) {
    case PERP_SET_FREE:
        return;
    case PERP_SET_NONNEG:
    case PERP_SET_BOX:
    case PERP_SET_FRICTION:
        perp_block_bounds(block, z, &lo, &hi);
        *x = *x < lo ? lo : (*x > hi ? hi : *x);
        return;
    case PERP_SET_CONE:
        perp_project_cone(block->mu, block->dim, x);
        return;
    case PERP_SET_ROLLING:
        perp_project_rolling(block->mu, block->mu_rolling, x);
        return;
    case PERP_SET_DISK:
        a = perp_tangent_norm(x, 2);
        if (a > block->radius) {
            x[0] *= block->radius / a;
            x[1] *= block->radius / a;
        }
        return;
    }
}

size_t perp_set_block_at(const perp_set *set, size_t row)
{
    size_t low = 0;
    size_t high = set->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (set->blocks[middle].first <= row) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
