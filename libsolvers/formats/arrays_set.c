/* SPDX-License-Identifier: Apache-2.0
 * formats/arrays_set.c: the set of a problem in named arrays: the blocks from the description
 * or from the arrays that exist, their numbers from lo, hi, mu and the like. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "arrays.h"
#include "base/base.h"

typedef struct set_arrays {
    double *lo, *hi, *mu, *mu_rolling, *radius, *findex;
    size_t lo_count, hi_count, mu_count, mu_rolling_count, radius_count, findex_count;
} set_arrays;

static perp_status set_array(const perp_arrays_sets *from, const char *name, double **x,
                             size_t *count, bool infinite, perp_error *err)
{
    *count = 0;
    if (!from->in->has(from->in, name)) {
        return PERP_OK;
    }
    *count = PERP_ARRAY_ANY;
    return from->in->vector(from->in, name, infinite, x, count, err);
}

static perp_status set_arrays_read(set_arrays *s, const perp_arrays_sets *from,
                                   perp_error *err)
{
    struct {
        const char *name;
        double **x;
        size_t *count;
    } arrays[] = {
        {"lo", &s->lo, &s->lo_count},
        {"hi", &s->hi, &s->hi_count},
        {"mu", &s->mu, &s->mu_count},
        {"mu_rolling", &s->mu_rolling, &s->mu_rolling_count},
        {"radius", &s->radius, &s->radius_count},
        {"findex", &s->findex, &s->findex_count},
    };

    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        TRY(set_array(from, arrays[i].name, arrays[i].x, arrays[i].count, i < 2, err));
    }
    return PERP_OK;
}

static void set_arrays_free(set_arrays *s)
{
    free(s->lo);
    free(s->hi);
    free(s->mu);
    free(s->mu_rolling);
    free(s->radius);
    free(s->findex);
}

static perp_status expect_count(const perp_arrays_sets *from, const char *name,
                                size_t found, size_t expected, const char *what,
                                perp_error *err)
{
    char place[PERP_ARRAY_PLACE];

    if (found == expected) {
        return PERP_OK;
    }
    from->in->place(from->in, name, place);
    if (found == 0) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: missing or empty, expected %zu number%s, one per %s", place,
                         expected, perp_plural(expected), what);
    }
    return perp_fail(err, PERP_ERR_FORMAT,
                     "%s: it has %zu number%s, expected %zu, one per %s", place, found,
                     perp_plural(found), expected, what);
}

/* Numbers that no row would use are refused, not ignored. */
static perp_status expect_none(const perp_arrays_sets *from, const char *name,
                               size_t found, const char *what, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];

    if (found == 0) {
        return PERP_OK;
    }
    from->in->place(from->in, name, place);
    return perp_fail(err, PERP_ERR_FORMAT, "%s: it has %zu number%s, but no row is %s",
                     place, found, perp_plural(found), what);
}

/* lo, hi and findex have a number for each row, where they are there or `needed`. */
static perp_status expect_rows(const set_arrays *s, const perp_arrays_sets *from,
                               bool bounds_needed, bool findex_needed, perp_error *err)
{
    perp_status status = PERP_OK;

    if (findex_needed || s->findex_count > 0) {
        status = expect_count(from, "findex", s->findex_count, from->n, "row", err);
    }
    if (status == PERP_OK && s->lo && (bounds_needed || s->lo_count > 0)) {
        status = expect_count(from, "lo", s->lo_count, from->n, "row", err);
    }
    if (status == PERP_OK && s->hi && (bounds_needed || s->hi_count > 0)) {
        status = expect_count(from, "hi", s->hi_count, from->n, "row", err);
    }
    return status;
}

/* The next number of a file, from 0. */
static perp_status next_from_zero(const perp_arrays_sets *from, const char *name,
                                  const double *x, size_t *at, double *out,
                                  perp_error *err)
{
    char place[PERP_ARRAY_PLACE];

    *out = x[*at];
    if (!(*out >= 0.0)) {
        from->in->place(from->in, name, place);
        return perp_fail(err, PERP_ERR_DATA, "%s: number %zu is %g, expected one >= 0",
                         place, *at + 1, *out);
    }
    (*at)++;
    return PERP_OK;
}

static perp_status fill_bounds(perp_block *k, const set_arrays *s,
                               const perp_arrays_sets *from, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];

    k->lo = s->lo ? s->lo[k->first] : -INFINITY;
    k->hi = s->hi ? s->hi[k->first] : INFINITY;
    from->in->place(from->in, "lo", place);
    return perp_bounds_check(k->lo, k->hi, place, "", k->first, err);
}

static perp_status fill_normal(perp_block *k, const set_arrays *s,
                               const perp_arrays_sets *from, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    size_t first = (size_t)from->in->first_row;
    double row = s->findex[k->first];

    if (!(row >= (double)first && row < (double)(from->n + first) && row == floor(row))) {
        from->in->place(from->in, "findex", place);
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: number %zu is %g, expected a row from %zu to %zu", place,
                         k->first + 1, row, first, from->n + first - 1);
    }
    k->normal = (size_t)row - first;
    return PERP_OK;
}

/* Fill in the numbers of blocks of known kinds. */
static perp_status fill_set(perp_set *set, const set_arrays *s,
                            const perp_arrays_sets *from, perp_error *err)
{
    size_t frictions = perp_set_count(set, PERP_SET_FRICTION);
    size_t rolling = perp_set_count(set, PERP_SET_ROLLING);
    size_t disks = perp_set_count(set, PERP_SET_DISK);
    size_t boxes = perp_set_count(set, PERP_SET_BOX);
    size_t contacts = perp_set_count(set, PERP_SET_CONE) + rolling + frictions;
    size_t mu = 0;
    size_t roll = 0;
    size_t disk = 0;
    perp_status status = expect_count(from, "mu", s->mu_count, contacts, "contact", err);

    if (status == PERP_OK) {
        status = expect_count(from, "mu_rolling", s->mu_rolling_count, rolling,
                              "rolling contact", err);
    }
    if (status == PERP_OK) {
        status = expect_count(from, "radius", s->radius_count, disks, "disk", err);
    }
    if (status == PERP_OK) {
        status = expect_rows(s, from, boxes > 0, frictions > 0, err);
    }
    for (size_t i = 0; status == PERP_OK && i < set->count; i++) {
        perp_block *k = &set->blocks[i];

        if (k->kind & (PERP_SET_FRICTION | PERP_SET_CONE | PERP_SET_ROLLING)) {
            status = next_from_zero(from, "mu", s->mu, &mu, &k->mu, err);
        }
        if (status == PERP_OK && k->kind == PERP_SET_ROLLING) {
            status = next_from_zero(from, "mu_rolling", s->mu_rolling, &roll,
                                    &k->mu_rolling, err);
        }
        if (status == PERP_OK && k->kind == PERP_SET_DISK) {
            status = next_from_zero(from, "radius", s->radius, &disk, &k->radius, err);
        }
        if (status == PERP_OK && k->kind == PERP_SET_BOX) {
            status = fill_bounds(k, s, from, err);
        }
        if (status == PERP_OK && k->kind == PERP_SET_FRICTION) {
            status = fill_normal(k, s, from, err);
        }
    }
    return status;
}

double perp_arrays_lo(const perp_block *k)
{
    return k->kind == PERP_SET_BOX ? k->lo : k->kind == PERP_SET_NONNEG ? 0.0 : -INFINITY;
}

double perp_arrays_hi(const perp_block *k)
{
    return k->kind == PERP_SET_BOX ? k->hi : INFINITY;
}

/* The number x of row i in the array `name`; it must be `own` or `none`, which states nothing. */
static perp_status expect_own(const perp_arrays_sets *from, const char *name, double x,
                              size_t i, double own, double none, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];

    if (x == own || x == none) {
        return PERP_OK;
    }
    from->in->place(from->in, name, place);
    return perp_fail(err, PERP_ERR_DATA,
                     "%s: number %zu is %g, expected %g as the set of this row has it",
                     place, i + 1, x, own);
}

/* Bounds and normals are those of the set: a number that its row does not use is refused. Rows of
 * contacts, which have no bounds, may have 0 there. */
static perp_status expect_used(const perp_set *set, const set_arrays *s,
                               const perp_arrays_sets *from, perp_error *err)
{
    const double none = from->in->first_row - 1;
    perp_status status = PERP_OK;

    for (size_t b = 0; status == PERP_OK && b < set->count; b++) {
        const perp_block *k = &set->blocks[b];
        bool bare = !(k->kind & (PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_BOX));

        for (size_t i = k->first; status == PERP_OK && i < k->first + k->dim; i++) {
            if (i < s->lo_count) {
                status = expect_own(from, "lo", s->lo[i], i, perp_arrays_lo(k),
                                    bare ? 0.0 : -INFINITY, err);
            }
            if (status == PERP_OK && i < s->hi_count) {
                status = expect_own(from, "hi", s->hi[i], i, perp_arrays_hi(k),
                                    bare ? 0.0 : INFINITY, err);
            }
            if (status == PERP_OK && i < s->findex_count &&
                k->kind != PERP_SET_FRICTION) {
                status = expect_own(from, "findex", s->findex[i], i, none, none, err);
            }
        }
    }
    return status;
}

/* Whether row i has friction: its findex is not the number before the first row. */
static bool is_friction(const set_arrays *s, const perp_arrays_sets *from, size_t i)
{
    return s->findex && s->findex[i] != (double)(from->in->first_row - 1);
}

/* Rows with bounds or friction: the numbers determine the kind of each. */
static perp_status rows_set(perp_set *set, const set_arrays *s,
                            const perp_arrays_sets *from, size_t rows, perp_error *err)
{
    perp_status status = expect_rows(s, from, true, s->findex != NULL, err);

    for (size_t i = 0; status == PERP_OK && i < rows; i++) {
        perp_block k = {.kind = PERP_SET_BOX, .first = i};

        if (is_friction(s, from, i)) {
            status = fill_normal(&k, s, from, err);
            perp_set_add_friction(set, 0.0, k.normal);
        } else if (s->lo || s->hi) {
            status = fill_bounds(&k, s, from, err);
            perp_set_add_bounds(set, k.lo, k.hi);
        } else {
            perp_set_add_nonneg(set);
        }
    }
    return status;
}

/* The friction of contacts, or of the friction rows in their order. */
static perp_status friction_fill(perp_set *set, const set_arrays *s,
                                 const perp_arrays_sets *from, perp_error *err)
{
    const size_t frictions = perp_set_count(set, PERP_SET_FRICTION);
    size_t mu = 0;
    perp_status status =
        frictions ? expect_count(from, "mu", s->mu_count, frictions, "friction row", err)
                  : expect_none(from, "mu", s->mu_count, "a contact", err);

    for (size_t i = 0; status == PERP_OK && i < set->count; i++) {
        if (set->blocks[i].kind == PERP_SET_FRICTION) {
            status = next_from_zero(from, "mu", s->mu, &mu, &set->blocks[i].mu, err);
        }
    }
    return status;
}

/* `rows` of cones of dimension dim. */
static perp_status cones_set(perp_set *set, const set_arrays *s,
                             const perp_arrays_sets *from, size_t rows, unsigned dim,
                             perp_error *err)
{
    perp_status status = PERP_OK;

    if ((dim != 2 && dim != 3) || rows % dim != 0) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: %zu row%s and %zu number%s in mu: no contacts of "
                         "dimension 2 or 3",
                         from->in->file, rows, perp_plural(rows), s->mu_count,
                         perp_plural(s->mu_count));
    }
    for (size_t k = 0; k < rows / dim; k++) {
        perp_set_add_cone(set, dim, 0.0);
    }
    status = expect_none(from, "findex", s->findex_count, "a friction row", err);
    if (status == PERP_OK) {
        status = expect_none(from, "lo", s->lo_count, "a box", err);
    }
    return status == PERP_OK ? expect_none(from, "hi", s->hi_count, "a box", err)
                             : status;
}

/* The dimension of contacts that a kind names: "fc3d", "gfc2d"; 0: it names none. */
static unsigned kind_dimension(const char *kind)
{
    const char *contacts = *kind == 'g' ? kind + 1 : kind;

    return strcmp(contacts, "fc2d") == 0 ? 2 : strcmp(contacts, "fc3d") == 0 ? 3 : 0;
}

/* A word that names a kind, or that of a global problem. */
static bool is_kind(const char *kind)
{
#define KIND_IS(name, text) strcmp(kind, text) == 0 ||
    return PERP_KIND_LIST(KIND_IS) kind_dimension(kind) > 0 || strcmp(kind, "gmp") == 0;
#undef KIND_IS
}

/* A kind without a list of sets: a word that exists, and that the arrays can state. */
static perp_status expect_kind(const set_arrays *s, const char *kind, const char *place,
                               perp_error *err)
{
#define KIND_NAME(name, text) ", " text
    static const char names[] = PERP_KIND_LIST(KIND_NAME); /* begins with a comma */
#undef KIND_NAME
    const bool listed = strcmp(kind, "rolling") == 0 || strcmp(kind, "mixed") == 0 ||
                        strcmp(kind, "gmp") == 0 ||
                        (strcmp(kind, "blcp-findex") == 0 && s->findex_count == 0);

    if (*kind && !is_kind(kind)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: kind is \"%s\", expected one of: %s",
                         place, kind, names + 2);
    }
    if (listed) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: sets is missing, expected a list for kind \"%s\"", place,
                         kind);
    }
    return s->mu_rolling_count > 0 || s->radius_count > 0
               ? perp_fail(err, PERP_ERR_FORMAT,
                           "%s: sets is missing, expected a list for rolling contacts "
                           "and disks",
                           place)
               : PERP_OK;
}

/* Without a list of sets: contacts when the kind or mu alone asks for them, else rows. */
static perp_status plain_set(perp_set *set, const set_arrays *s,
                             const perp_arrays_sets *from, perp_error *err)
{
    char description[PERP_ARRAY_PLACE];
    const char *kind = from->kind ? from->kind : "";
    size_t rows = from->n - from->free;
    unsigned dim = kind_dimension(kind);
    bool contacts = dim > 0 || (!*kind && s->mu_count > 0 && s->findex_count == 0);
    perp_status status = PERP_OK;

    from->in->place(from->in, "description", description);
    status = expect_kind(s, kind, description, err);
    if (contacts && dim == 0) {
        dim = rows == 3 * s->mu_count ? 3 : rows == 2 * s->mu_count ? 2 : 0;
    }
    if (status == PERP_OK) {
        status = contacts ? cones_set(set, s, from, rows, dim, err)
                          : rows_set(set, s, from, rows, err);
    }
    for (size_t i = 0; status == PERP_OK && i < from->free; i++) {
        perp_set_add_free(set);
    }
    if (status != PERP_OK) {
        return status;
    }
    return contacts ? fill_set(set, s, from, err) : friction_fill(set, s, from, err);
}

perp_status perp_arrays_set(perp_set **set, const perp_arrays_sets *from, perp_error *err)
{
    char description[PERP_ARRAY_PLACE];
    set_arrays s = {0};
    perp_status status = set_arrays_read(&s, from, err);

    *set = NULL;
    from->in->place(from->in, "description", description);
    if (status == PERP_OK && from->sets) {
        status = perp_json_sets(set, from->n, from->sets, description, "", err);
        if (status == PERP_OK) {
            status = fill_set(*set, &s, from, err);
        }
    } else if (status == PERP_OK) {
        status = perp_set_new(set, from->n, err);
        if (status == PERP_OK) {
            status = plain_set(*set, &s, from, err);
        }
    }
    if (status == PERP_OK) {
        status = expect_used(*set, &s, from, err);
    }
    if (status != PERP_OK) {
        perp_set_free(*set);
        *set = NULL;
    }
    set_arrays_free(&s);
    return status;
}
