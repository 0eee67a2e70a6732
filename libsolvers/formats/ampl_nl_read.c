/* SPDX-License-Identifier: Apache-2.0
 * formats/ampl_nl_read.c: the complementarity problem of a .nl file.
 *
 *     row complements variable j, lo <= v_j <= hi      row j of A: w_j = body
 *     row body = rhs                                   defines a free variable, or is a free row
 *
 * An equation with one free variable that no row complements, and otherwise complemented ones, defines it: the
 * variable is replaced everywhere [as `complements(...)` of Pyomo is written]. Other equations and free variables are
 * paired in the order of the file. All else has no place in a complementarity problem and is refused. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ampl_nl.h"
#include "base/base.h"

typedef struct nl_maker {
    const perp_nl_model *m;
    size_t *row_of;  /* variables: the row that complements it, or is paired with it */
    size_t *defined; /* variables: the equation that defines it */
    size_t *place;   /* variables: its number in the problem */
    bool *used;      /* rows: it defines or is paired */
    size_t n;
    perp_triplets t;
    double *b;
    perp_set *set;
    perp_error *err;
} nl_maker;

static perp_status nl_refuse_row(const nl_maker *k, size_t i, const char *what)
{
    return perp_fail(k->err, PERP_ERR_FORMAT, "%s: row %zu %s", k->m->path, i, what);
}

/* The rows that complement, and the senses of all. */
static perp_status nl_match(nl_maker *k)
{
    const perp_nl_model *m = k->m;

    for (size_t i = 0; i < m->rows; i++) {
        const perp_nl_row *row = &m->row[i];
        const size_t j = row->variable;
        unsigned sides = 0;

        if (row->sense == PERP_NL_EQUAL || row->sense == PERP_NL_UNBOUNDED) {
            continue;
        }
        if (row->sense != PERP_NL_COMPLEMENT) {
            return nl_refuse_row(k, i, "is an inequality that complements no variable");
        }
        if (k->row_of[j] != PERP_NL_NONE) {
            return perp_fail(k->err, PERP_ERR_FORMAT,
                             "%s: rows %zu and %zu complement variable %zu, expected one",
                             m->path, k->row_of[j], i, j);
        }
        sides = (isfinite(m->lo[j]) ? 1u : 0u) | (isfinite(m->hi[j]) ? 2u : 0u);
        if (row->sides != sides) {
            return perp_fail(
                k->err, PERP_ERR_FORMAT,
                "%s: row %zu has the sides %u of variable %zu, expected %u, those "
                "with bounds",
                m->path, i, row->sides, j, sides);
        }
        k->row_of[j] = i;
    }
    return PERP_OK;
}

static bool nl_is_loose(const nl_maker *k, size_t j)
{
    return k->row_of[j] == PERP_NL_NONE && k->defined[j] == PERP_NL_NONE;
}

/* The equations that define a variable each. */
static void nl_define(nl_maker *k)
{
    const perp_operator *E = k->m->E;

    for (size_t i = 0; i < k->m->rows; i++) {
        size_t found = PERP_NL_NONE, others = 0;

        if (k->m->row[i].sense != PERP_NL_EQUAL) {
            continue;
        }
        for (size_t e = E->ptr[i]; e < E->ptr[i + 1]; e++) {
            const size_t j = (size_t)E->col[e];

            if (E->x[e] != 0.0 && k->row_of[j] == PERP_NL_NONE) {
                others += found != PERP_NL_NONE || k->defined[j] != PERP_NL_NONE;
                found = j;
            }
        }
        if (found != PERP_NL_NONE && others == 0 && isinf(k->m->lo[found]) &&
            isinf(k->m->hi[found])) {
            k->defined[found] = i;
            k->used[i] = true;
        }
    }
}

/* The equations and variables that are left. */
static perp_status nl_pair(nl_maker *k)
{
    const perp_nl_model *m = k->m;
    size_t i = 0;

    for (size_t j = 0; j < m->variables; j++) {
        if (!nl_is_loose(k, j)) {
            continue;
        }
        if (isfinite(m->lo[j]) || isfinite(m->hi[j])) {
            return perp_fail(
                k->err, PERP_ERR_FORMAT,
                "%s: variable %zu has bounds %g, %g, and no row complements it", m->path,
                j, m->lo[j], m->hi[j]);
        }
        while (i < m->rows && (m->row[i].sense != PERP_NL_EQUAL || k->used[i])) {
            i++;
        }
        if (i == m->rows) {
            return perp_fail(
                k->err, PERP_ERR_FORMAT,
                "%s: variable %zu has no row, expected as many rows as variables",
                m->path, j);
        }
        k->row_of[j] = i;
        k->used[i] = true;
    }
    for (; i < m->rows; i++) {
        if (m->row[i].sense == PERP_NL_EQUAL && !k->used[i]) {
            return nl_refuse_row(
                k, i,
                "is an equation without a variable, expected as many rows as "
                "variables");
        }
    }
    return PERP_OK;
}

static double nl_offset(const perp_nl_row *row)
{
    return row->sense == PERP_NL_EQUAL ? row->constant - row->rhs : row->constant;
}

/* factor E_i v goes into row `at`, without the variable `but`. */
static void nl_add(nl_maker *k, size_t at, size_t i, double factor, size_t but)
{
    const perp_operator *E = k->m->E;

    for (size_t e = E->ptr[i]; e < E->ptr[i + 1]; e++) {
        const size_t j = (size_t)E->col[e];
        const double x = factor * E->x[e];

        if (j == but || x == 0.0) {
            continue;
        }
        if (k->defined[j] == PERP_NL_NONE) {
            perp_triplets_add(&k->t, at, k->place[j], x);
        } else { /* v_j = -(offset + the rest)/a */
            const size_t by = k->defined[j];
            const double a = perp_operator_entry(E, by, j);

            k->b[at] -= x / a * nl_offset(&k->m->row[by]);
            nl_add(k, at, by, -x / a, j);
        }
    }
}

static void nl_set(nl_maker *k, size_t j)
{
    const double lo = k->m->lo[j], hi = k->m->hi[j];

    if (isinf(lo) && isinf(hi)) {
        perp_set_add_free(k->set);
    } else if (lo == 0.0 && isinf(hi)) {
        perp_set_add_nonneg(k->set);
    } else {
        perp_set_add_box(k->set, lo, hi);
    }
}

static perp_status nl_make(nl_maker *k, perp_problem **p)
{
    const perp_nl_model *m = k->m;
    perp_operator *A = NULL;
    perp_status status = PERP_OK;

    for (size_t j = 0; j < m->variables; j++) {
        k->place[j] = k->n;
        k->n += k->defined[j] == PERP_NL_NONE;
    }
    k->b = perp_reals_new(k->n);
    status = k->b ? perp_set_new(&k->set, k->n, k->err)
                  : perp_fail(k->err, PERP_ERR_MEMORY, "%s: no memory for %zu rows",
                              m->path, k->n);
    perp_triplets_init(&k->t, k->n, k->n, m->E->count);
    for (size_t j = 0; j < m->variables && status == PERP_OK; j++) {
        if (k->defined[j] == PERP_NL_NONE) {
            k->b[k->place[j]] = nl_offset(&m->row[k->row_of[j]]);
            nl_add(k, k->place[j], k->row_of[j], 1.0, PERP_NL_NONE);
            nl_set(k, j);
        }
    }
    if (status == PERP_OK) {
        status = perp_triplets_finish(&A, &k->t, k->err);
    }
    perp_triplets_free(&k->t);
    if (status != PERP_OK) {
        free(k->b);
        perp_set_free(k->set);
        return status;
    }
    return perp_problem_new_take(p, A, k->b, k->set, PERP_LAW_COULOMB, k->err);
}

/* The starting values are a guess. */
static perp_status nl_guess(const nl_maker *k, perp_problem *p)
{
    p->guesses = calloc(1, sizeof *p->guesses);
    p->guess_count = p->guesses ? 1 : 0;
    if (!p->guesses || !(p->guesses[0].z = perp_reals_new(p->n))) {
        return perp_fail(k->err, PERP_ERR_MEMORY, "%s: no memory for a start",
                         k->m->path);
    }
    for (size_t j = 0; j < k->m->variables; j++) {
        if (k->defined[j] == PERP_NL_NONE) {
            p->guesses[0].z[k->place[j]] = k->m->start[j];
        }
    }
    return PERP_OK;
}

perp_status perp_nl_problem(perp_problem **p, const perp_nl_model *m, perp_error *err)
{
    nl_maker k = {.m = m, .err = err};
    perp_status status = PERP_OK;

    *p = NULL;
    k.row_of = malloc(3 * m->variables * sizeof *k.row_of);
    k.used = calloc(m->rows, sizeof *k.used);
    if (!k.row_of || !k.used) {
        status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu rows", m->path,
                           m->rows);
    } else {
        k.defined = k.row_of + m->variables;
        k.place = k.defined + m->variables;
        memset(k.row_of, 0xff, 3 * m->variables * sizeof *k.row_of); /* PERP_NL_NONE */
        status = nl_match(&k);
    }
    if (status == PERP_OK) {
        nl_define(&k);
        status = nl_pair(&k);
    }
    if (status == PERP_OK) {
        status = nl_make(&k, p);
    }
    if (status == PERP_OK && m->has_start) {
        status = nl_guess(&k, *p);
    }
    if (status == PERP_OK && m->name[0] && strcmp(m->name, "unknown") != 0) {
        (*p)->name = perp_text_new(m->name);
        status = (*p)->name ? PERP_OK
                            : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", m->path);
    }
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    free(k.row_of);
    free(k.used);
    return status;
}

int perp_nl_detect(const perp_source *from)
{
    char head[2 + 1];
    const bool begins = perp_source_peek(from, head, 2) == 2 &&
                        (head[0] == 'g' || head[0] == 'b') && head[1] >= '0' &&
                        head[1] <= '9';

    return begins ? perp_path_ends(from->name, ".nl") ? 2 : 1 : 0;
}

perp_status perp_nl_read(perp_source *from, const perp_read_options *opt,
                         perp_problem **p, perp_notes *notes, perp_error *err)
{
    perp_nl_model m = {.rows = 0};
    perp_status status = perp_source_load(from, err);

    (void)opt;
    (void)notes;
    *p = NULL;
    if (status == PERP_OK) {
        status = perp_nl_parse(&m, from, err);
    }
    if (status == PERP_OK) {
        status = perp_nl_problem(p, &m, err);
    }
    perp_nl_clear(&m);
    return status;
}
