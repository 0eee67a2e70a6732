/* SPDX-License-Identifier: Apache-2.0
 * formats/fclib_write.c: write a problem as FCLIB.
 *
 * The format holds cones of one dimension (with Coulomb's law) followed by free rows: local
 * [W V; V^T R] as W, V and R, where the two copies of V must agree; global M, H, G as given.
 * Matrices are triplets, since Siconos reads nothing else in global files. The same problem
 * gives the same bytes. */
#include <config.h>

#include "base/base.h"
#include "fclib.h"
#include "meta_hdf5.h"

typedef struct fclib_writing {
    perp_h5_file f;
    const perp_problem *problem;
    fclib_form form;
    const char *root;
    size_t dim, contacts;
    size_t m, p, n_v;
} fclib_writing;

/* Count cones of one dimension and free rows; NULL, or what the format cannot hold. */
static const char *measure_set(fclib_writing *w)
{
    const perp_set *set = w->problem->set;
    perp_set_kind cone = set->count && set->blocks[0].kind == PERP_SET_ROLLING
                             ? PERP_SET_ROLLING
                             : PERP_SET_CONE;

    w->dim = set->count && set->blocks[0].dim > 1 ? set->blocks[0].dim : 3;
    while (w->contacts < set->count && set->blocks[w->contacts].kind == cone) {
        if (set->blocks[w->contacts].dim != w->dim) {
            return "holds contacts of one dimension only";
        }
        w->contacts++;
    }
    w->m = w->dim * w->contacts;
    w->p = set->count - w->contacts;
    for (size_t k = w->contacts; k < set->count; k++) {
        if (set->blocks[k].kind != PERP_SET_FREE) {
            return "holds contacts followed by free rows, and no other sets";
        }
    }
    if (w->contacts > 0 && w->problem->law != PERP_LAW_COULOMB) {
        return "means Coulomb's law, but the law of this problem is associated";
    }
    if (w->dim == 5 && !w->problem->global) {
        return "has no local form of rolling friction";
    }
    return NULL;
}

/* Whether the two blocks of A that hold V agree. */
static bool couplings_agree(const fclib_writing *w)
{
    for (size_t i = 0; w->p > 0 && i < w->m; i++) {
        for (size_t j = w->m; j < w->m + w->p; j++) {
            if (perp_operator_entry(w->problem->A, i, j) !=
                perp_operator_entry(w->problem->A, j, i)) {
                return false;
            }
        }
    }
    return true;
}

/* Which form, and whether the problem fits it. */
static perp_status choose_form(fclib_writing *w, const char *path, const char *kind,
                               perp_error *err)
{
    const perp_problem *p = w->problem;
    const char *why = measure_set(w);
    bool local = p->A && (!p->global || (kind && strncmp(kind, "fc", 2) == 0));

    if (why) {
        return perp_fail(err, PERP_ERR_UNSUITABLE, "%s: FCLIB %s", path, why);
    }
    if (kind && !p->global && (kind[0] == 'g' || strcmp(kind, "rolling") == 0)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: kind %s needs M and H, this problem has A only", path,
                         kind);
    }
    w->form = local ? FCLIB_LOCAL : w->dim == 5 ? FCLIB_ROLLING : FCLIB_GLOBAL;
    w->root = fclib_roots[w->form];
    w->n_v = local ? 0 : p->global->M->rows;
    if (!local && p->global->H->cols != w->m) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: FCLIB needs the columns of H to be the %zu rows of the "
                         "contacts; there are %zu",
                         path, w->m, p->global->H->cols);
    }
    if (local && !couplings_agree(w)) {
        return perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "%s: FCLIB couples contacts and free rows by one V; here the two "
            "blocks are not each other's transpose",
            path);
    }
    return PERP_OK;
}

static void write_vector(fclib_writing *w, const char *name, size_t n, const double *x)
{
    char inside[PERP_H5_PATH];

    snprintf(inside, sizeof inside, "%s/vectors/%s", w->root, name);
    perp_h5_write_reals(&w->f, inside, n, x);
}

static void write_friction(fclib_writing *w)
{
    double *mu = perp_reals_new(2 * w->contacts);

    if (!mu) {
        perp_h5_write_fail(&w->f, PERP_ERR_MEMORY, w->root, "no memory");
        return;
    }
    for (size_t k = 0; k < w->contacts; k++) {
        mu[k] = w->problem->set->blocks[k].mu;
        mu[w->contacts + k] = w->problem->set->blocks[k].mu_rolling;
    }
    write_vector(w, "mu", w->contacts, mu);
    if (w->form == FCLIB_ROLLING) {
        write_vector(w, "mu_r", w->contacts, mu + w->contacts);
    }
    free(mu);
}

/* A part of an operator, as `name`. */
static void write_matrix(fclib_writing *w, const char *name, const perp_operator *A,
                         size_t row, size_t col, size_t rows, size_t cols)
{
    char inside[PERP_H5_PATH];

    perp_fclib_write_matrix(&w->f, perp_h5_join(inside, w->root, name), A, row, col, rows,
                            cols);
}

static void write_local(fclib_writing *w)
{
    const perp_operator *A = w->problem->A;
    const double *b = w->problem->b;

    write_matrix(w, "W", A, 0, 0, w->m, w->m);
    write_vector(w, "q", w->m, b);
    if (w->p > 0) {
        write_matrix(w, "V", A, 0, w->m, w->m, w->p);
        write_matrix(w, "R", A, w->m, w->m, w->p, w->p);
        write_vector(w, "s", w->p, b + w->m);
    }
}

static void write_global(fclib_writing *w)
{
    const perp_global *g = w->problem->global;
    const double *b = w->problem->b;

    write_matrix(w, "M", g->M, 0, 0, w->n_v, w->n_v);
    write_matrix(w, "H", g->H, 0, 0, w->n_v, w->m);
    write_vector(w, "f", w->n_v, g->f);
    write_vector(w, "w", w->m, b);
    if (g->G) {
        write_matrix(w, "G", g->G, 0, 0, w->n_v, w->p);
        write_vector(w, "b", w->p, b + w->m);
    }
}

static void write_info(fclib_writing *w)
{
    const perp_problem *p = w->problem;
    char group[PERP_H5_PATH];
    char inside[PERP_H5_PATH];

    if (!p->title && !p->description && !p->math_info) {
        return;
    }
    perp_h5_write_group(&w->f, perp_h5_join(group, w->root, "info"));
    perp_h5_write_text(&w->f, perp_h5_join(inside, group, "title"), p->title);
    perp_h5_write_text(&w->f, perp_h5_join(inside, group, "description"), p->description);
    perp_h5_write_text(&w->f, perp_h5_join(inside, group, "math_info"), p->math_info);
}

/* r and l from z, u from w, and v. */
static void write_full(fclib_writing *w, const char *group, const perp_point *point)
{
    char inside[PERP_H5_PATH];

    perp_h5_write_group(&w->f, group);
    if (point->v && w->form != FCLIB_LOCAL) {
        perp_h5_write_reals(&w->f, perp_h5_join(inside, group, "v"), w->n_v, point->v);
    }
    if (point->w) {
        perp_h5_write_reals(&w->f, perp_h5_join(inside, group, "u"), w->m, point->w);
    }
    perp_h5_write_reals(&w->f, perp_h5_join(inside, group, "r"), w->m, point->z);
    if (w->p > 0) {
        perp_h5_write_reals(&w->f, perp_h5_join(inside, group, "l"), w->p,
                            point->z + w->m);
    }
}

static void write_point(fclib_writing *w, const char *group, const perp_point *point)
{
    perp_point full = {0};
    perp_error fault = {0};

    if (perp_fclib_complete(&full, w->problem, point, w->form == FCLIB_LOCAL, &fault) ==
        PERP_OK) {
        write_full(w, group, &full);
    } else {
        perp_h5_write_fail(&w->f, fault.status, group, fault.text);
    }
    perp_fclib_complete_free(&full, point);
}

static void write_points(fclib_writing *w)
{
    const perp_problem *p = w->problem;

    if (p->solution) {
        write_point(w, "/solution", p->solution);
    }
    if (p->guess_count > 0) {
        perp_h5_write_group(&w->f, "/guesses");
        perp_h5_write_integer(&w->f, "/guesses/number_of_guesses", p->guess_count);
    }
    for (size_t k = 0; k < p->guess_count; k++) {
        char group[PERP_H5_PATH];

        snprintf(group, sizeof group, "/guesses/%zu", k + 1);
        write_point(w, group, &p->guesses[k]);
    }
}

perp_status perp_fclib_write(perp_file_out *out, const perp_problem *p, const char *kind,
                             perp_error *err)
{
    fclib_writing w = {.problem = p};
    char inside[PERP_H5_PATH];

    TRY(choose_form(&w, out->path, kind, err));
    perp_h5_create(&w.f, out, err);
    perp_h5_write_group(&w.f, w.root);
    perp_h5_write_integer(&w.f, perp_h5_join(inside, w.root, "spacedim"), w.dim);
    write_info(&w);
    perp_h5_write_group(&w.f, perp_h5_join(inside, w.root, "vectors"));
    write_friction(&w);
    if (w.form == FCLIB_LOCAL) {
        write_local(&w);
    } else {
        write_global(&w);
    }
    write_points(&w);
    if (p->labels || p->origin) {
        perp_h5_write_group(&w.f, "/perp");
        perp_meta_h5_write(&w.f, PERP_META_H5, p, NULL);
    }
    return perp_h5_close(&w.f);
}
