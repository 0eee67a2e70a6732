/* SPDX-License-Identifier: Apache-2.0
 * formats/arrays_set.c: the set of a problem in named arrays: the blocks from the description
 * or from the arrays that exist, their numbers from lo, hi, mu and the like. */
#include <config.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "arrays.h"
#include "base/base.h"

#define CONTACTS (PERP_SET_CONE | PERP_SET_ROLLING | PERP_SET_FRICTION)

const perp_arrays_column perp_arrays_columns[PERP_ARRAYS_COLUMNS] = {
    {"lo", PERP_SET_BOX, 0, "row", "lower bound of each row"},
    {"hi", PERP_SET_BOX, 0, "row", "upper bound of each row"},
    {"mu", CONTACTS, offsetof(perp_block, mu), "contact", "friction of each contact"},
    {"mu_rolling", PERP_SET_ROLLING, offsetof(perp_block, mu_rolling), "rolling contact",
     "rolling friction of each contact"},
    {"radius", PERP_SET_DISK, offsetof(perp_block, radius), "disk",
     "radius of each disk"},
    {"findex", PERP_SET_FRICTION, 0, "row",
     "row of the normal of each friction row, one before the first row for others"},
};

double perp_arrays_number(const perp_block *k, int column, int first_row)
{
    double x = 0.0;

    switch (column) {
    case PERP_ARRAYS_LO:
        return k->kind == PERP_SET_BOX      ? k->lo
               : k->kind == PERP_SET_NONNEG ? 0.0
                                            : -INFINITY;
    case PERP_ARRAYS_HI:
        return k->kind == PERP_SET_BOX ? k->hi : INFINITY;
    case PERP_ARRAYS_FINDEX:
        return k->kind == PERP_SET_FRICTION ? (double)k->normal + first_row
                                            : first_row - 1.0;
    default:
        memcpy(&x, (const char *)k + perp_arrays_columns[column].offset, sizeof x);
        return x;
    }
}

/* The arrays that are there, by column; count 0: missing or empty. */
typedef struct set_arrays {
    double *x[PERP_ARRAYS_COLUMNS];
    size_t count[PERP_ARRAYS_COLUMNS];
} set_arrays;

static perp_status set_arrays_read(set_arrays *s, const perp_arrays_sets *from,
                                   perp_error *err)
{
    for (int c = 0; c < PERP_ARRAYS_COLUMNS; c++) {
        const char *name = perp_arrays_columns[c].name;

        if (from->in->has(from->in, name)) {
            s->count[c] = PERP_ARRAY_ANY;
            TRY(from->in->vector(from->in, name, c <= PERP_ARRAYS_HI, &s->x[c],
                                 &s->count[c], err));
        }
    }
    return PERP_OK;
}

static void set_arrays_free(set_arrays *s)
{
    for (int c = 0; c < PERP_ARRAYS_COLUMNS; c++) {
        free(s->x[c]);
    }
}

static perp_status expect_count(const perp_arrays_sets *from, const set_arrays *s, int c,
                                size_t expected, const char *what, perp_error *err)
{
    const size_t found = s->count[c];
    char place[PERP_ARRAY_PLACE];

    if (found == expected) {
        return PERP_OK;
    }
    from->in->place(from->in, perp_arrays_columns[c].name, place);
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
static perp_status expect_none(const perp_arrays_sets *from, const set_arrays *s, int c,
                               const char *what, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];

    if (s->count[c] == 0) {
        return PERP_OK;
    }
    from->in->place(from->in, perp_arrays_columns[c].name, place);
    return perp_fail(err, PERP_ERR_FORMAT, "%s: it has %zu number%s, but no row is %s",
                     place, s->count[c], perp_plural(s->count[c]), what);
}

/* lo, hi and findex have a number for each row, where they are there or `needed`. */
static perp_status expect_rows(const set_arrays *s, const perp_arrays_sets *from,
                               bool bounds_needed, bool findex_needed, perp_error *err)
{
    static const int columns[] = {PERP_ARRAYS_FINDEX, PERP_ARRAYS_LO, PERP_ARRAYS_HI};

    for (size_t k = 0; k < 3; k++) {
        const int c = columns[k];
        const bool needed = k == 0 ? findex_needed : s->x[c] && bounds_needed;

        if (needed || s->count[c] > 0) {
            TRY(expect_count(from, s, c, from->n, "row", err));
        }
    }
    return PERP_OK;
}

/* The numbers of an array that has one for each block of its kinds, all from 0. */
static perp_status fill_column(perp_set *set, const set_arrays *s, int c,
                               const perp_arrays_sets *from, perp_error *err)
{
    const perp_arrays_column *column = &perp_arrays_columns[c];
    char place[PERP_ARRAY_PLACE];
    size_t at = 0;

    for (size_t i = 0; i < set->count; i++) {
        if (!(set->blocks[i].kind & column->kinds)) {
            continue;
        }
        if (!(s->x[c][at] >= 0.0)) {
            from->in->place(from->in, column->name, place);
            return perp_fail(err, PERP_ERR_DATA,
                             "%s: number %zu is %g, expected one >= 0", place, at + 1,
                             s->x[c][at]);
        }
        memcpy((char *)&set->blocks[i] + column->offset, &s->x[c][at++],
               sizeof s->x[c][0]);
    }
    return PERP_OK;
}

static perp_status fill_bounds(perp_block *k, const set_arrays *s,
                               const perp_arrays_sets *from, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];

    const double *lo = s->x[PERP_ARRAYS_LO], *hi = s->x[PERP_ARRAYS_HI];

    k->lo = lo ? lo[k->first] : -INFINITY;
    k->hi = hi ? hi[k->first] : INFINITY;
    from->in->place(from->in, "lo", place);
    return perp_bounds_check(k->lo, k->hi, place, "", k->first, err);
}

static perp_status fill_normal(perp_block *k, const set_arrays *s,
                               const perp_arrays_sets *from, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    size_t first = (size_t)from->in->first_row;
    double row = s->x[PERP_ARRAYS_FINDEX][k->first];

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
    const unsigned kinds = perp_set_kinds(set);

    for (int c = PERP_ARRAYS_MU; c <= PERP_ARRAYS_RADIUS; c++) {
        size_t expected = 0;

        for (size_t i = 0; i < set->count; i++) {
            expected += (set->blocks[i].kind & perp_arrays_columns[c].kinds) != 0;
        }
        TRY(expect_count(from, s, c, expected, perp_arrays_columns[c].each, err));
    }
    TRY(expect_rows(s, from, kinds & PERP_SET_BOX, kinds & PERP_SET_FRICTION, err));
    for (int c = PERP_ARRAYS_MU; c <= PERP_ARRAYS_RADIUS; c++) {
        TRY(fill_column(set, s, c, from, err));
    }
    for (size_t i = 0; i < set->count; i++) {
        perp_block *k = &set->blocks[i];

        if (k->kind == PERP_SET_BOX) {
            TRY(fill_bounds(k, s, from, err));
        } else if (k->kind == PERP_SET_FRICTION) {
            TRY(fill_normal(k, s, from, err));
        }
    }
    return PERP_OK;
}

/* Bounds and normals are those of the set: a number that its row does not use is refused. Rows of
 * contacts, which have no bounds, may have 0 there. */
static perp_status expect_used(const perp_set *set, const set_arrays *s, int c,
                               const perp_arrays_sets *from, perp_error *err)
{
    const unsigned bounded = PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_BOX;
    char place[PERP_ARRAY_PLACE];

    for (size_t b = 0; b < set->count; b++) {
        const perp_block *k = &set->blocks[b];
        const double own = perp_arrays_number(k, c, from->in->first_row);
        const double none = c == PERP_ARRAYS_FINDEX ? own
                            : !(k->kind & bounded)  ? 0.0
                            : c == PERP_ARRAYS_LO   ? -INFINITY
                                                    : INFINITY;

        for (size_t i = k->first; i < k->first + k->dim && i < s->count[c]; i++) {
            if (s->x[c][i] != own && s->x[c][i] != none) {
                from->in->place(from->in, perp_arrays_columns[c].name, place);
                return perp_fail(err, PERP_ERR_DATA,
                                 "%s: number %zu is %g, expected %g as the set of this "
                                 "row has it",
                                 place, i + 1, s->x[c][i], own);
            }
        }
    }
    return PERP_OK;
}

/* Whether row i has friction: its findex is not the number before the first row. */
static bool is_friction(const set_arrays *s, const perp_arrays_sets *from, size_t i)
{
    const double *findex = s->x[PERP_ARRAYS_FINDEX];

    return findex && findex[i] != (double)(from->in->first_row - 1);
}

/* Rows with bounds or friction: the numbers determine the kind of each. */
static perp_status rows_set(perp_set *set, const set_arrays *s,
                            const perp_arrays_sets *from, size_t rows, perp_error *err)
{
    TRY(expect_rows(s, from, true, s->x[PERP_ARRAYS_FINDEX] != NULL, err));
    for (size_t i = 0; i < rows; i++) {
        perp_block k = {.kind = PERP_SET_BOX, .first = i};

        if (is_friction(s, from, i)) {
            TRY(fill_normal(&k, s, from, err));
            perp_set_add_friction(set, 0.0, k.normal);
        } else if (s->x[PERP_ARRAYS_LO] || s->x[PERP_ARRAYS_HI]) {
            TRY(fill_bounds(&k, s, from, err));
            perp_set_add_bounds(set, k.lo, k.hi);
        } else {
            perp_set_add_nonneg(set);
        }
    }
    return PERP_OK;
}

/* The friction of contacts, or of the friction rows in their order. */
static perp_status friction_fill(perp_set *set, const set_arrays *s,
                                 const perp_arrays_sets *from, perp_error *err)
{
    const size_t frictions = perp_set_count(set, PERP_SET_FRICTION);

    TRY(frictions ? expect_count(from, s, PERP_ARRAYS_MU, frictions, "friction row", err)
                  : expect_none(from, s, PERP_ARRAYS_MU, "a contact", err));
    return fill_column(set, s, PERP_ARRAYS_MU, from, err);
}

/* `rows` of cones of dimension dim. */
static perp_status cones_set(perp_set *set, const set_arrays *s,
                             const perp_arrays_sets *from, size_t rows, unsigned dim,
                             perp_error *err)
{
    if ((dim != 2 && dim != 3) || rows % dim != 0) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: %zu row%s and %zu number%s in mu: no contacts of "
                         "dimension 2 or 3",
                         from->in->file, rows, perp_plural(rows),
                         s->count[PERP_ARRAYS_MU], perp_plural(s->count[PERP_ARRAYS_MU]));
    }
    for (size_t k = 0; k < rows / dim; k++) {
        perp_set_add_cone(set, dim, 0.0);
    }
    TRY(expect_none(from, s, PERP_ARRAYS_FINDEX, "a friction row", err));
    TRY(expect_none(from, s, PERP_ARRAYS_LO, "a box", err));
    return expect_none(from, s, PERP_ARRAYS_HI, "a box", err);
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
    const bool listed =
        strcmp(kind, "rolling") == 0 || strcmp(kind, "mixed") == 0 ||
        strcmp(kind, "gmp") == 0 ||
        (strcmp(kind, "blcp-findex") == 0 && s->count[PERP_ARRAYS_FINDEX] == 0);

    if (*kind && !is_kind(kind)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: kind is \"%s\", expected one of: %s",
                         place, kind, names + 2);
    }
    if (listed) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: sets is missing, expected a list for kind \"%s\"", place,
                         kind);
    }
    return s->count[PERP_ARRAYS_MU_ROLLING] > 0 || s->count[PERP_ARRAYS_RADIUS] > 0
               ? perp_fail(err, PERP_ERR_FORMAT,
                           "%s: sets is missing, expected a list for rolling contacts "
                           "and disks",
                           place)
               : PERP_OK;
}

/* Without a list of sets: contacts when the kind or mu alone requires them, else rows. */
static perp_status plain_set(perp_set *set, const set_arrays *s,
                             const perp_arrays_sets *from, perp_error *err)
{
    char description[PERP_ARRAY_PLACE];
    const char *kind = from->kind ? from->kind : "";
    size_t rows = from->n - from->free;
    unsigned dim = kind_dimension(kind);
    bool contacts = dim > 0 || (!*kind && s->count[PERP_ARRAYS_MU] > 0 &&
                                s->count[PERP_ARRAYS_FINDEX] == 0);
    perp_status status = PERP_OK;

    from->in->place(from->in, "description", description);
    status = expect_kind(s, kind, description, err);
    if (contacts && dim == 0) {
        dim = rows == 3 * s->count[PERP_ARRAYS_MU]   ? 3
              : rows == 2 * s->count[PERP_ARRAYS_MU] ? 2
                                                     : 0;
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
    for (int c = 0; status == PERP_OK && c < PERP_ARRAYS_COLUMNS; c++) {
        if (strcmp(perp_arrays_columns[c].each, "row") == 0) {
            status = expect_used(*set, &s, c, from, err);
        }
    }
    if (status != PERP_OK) {
        perp_set_free(*set);
        *set = NULL;
    }
    set_arrays_free(&s);
    return status;
}
