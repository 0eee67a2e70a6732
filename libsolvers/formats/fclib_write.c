/* SPDX-License-Identifier: Apache-2.0
 * formats/fclib_write.c: write a problem as FCLIB.
 *
 * Held are cones of one dimension (all of Coulomb's law) followed by free rows: local
 * [W V; V^T R] as W, V and R, which needs the two copies of V to agree; global M, H, G as
 * given. Triplets, since Siconos takes nothing else in global files. Written beside, then
 * renamed; the same problem gives the same bytes. */
#include <config.h>

#include "fclib.h"

typedef struct fclib_writing {
    perp_h5_file f;
    const perp_problem *problem;
    fclib_form form;
    const char *root;
    size_t dim, contacts;
    size_t m, p, n_v;
} fclib_writing;

/* Cones of one dimension, then free rows: measure them, or say why not. */
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
        return "means Coulomb's law, this problem the associated one";
    }
    if (w->dim == 5 && !w->problem->global) {
        return "has no local form of rolling friction";
    }
    return NULL;
}

/* Where the blocks of A for the two copies of V disagree. */
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

static perp_status put_vector(fclib_writing *w, const char *name, size_t n,
                              const double *x)
{
    char inside[PERP_H5_PATH];

    snprintf(inside, sizeof inside, "%s/vectors/%s", w->root, name);
    return perp_h5_put_reals(&w->f, inside, n, x);
}

static perp_status put_friction(fclib_writing *w)
{
    double *mu = perp_reals_new(2 * w->contacts);
    perp_status status = PERP_OK;

    if (!mu) {
        return perp_h5_fail(&w->f, PERP_ERR_MEMORY, w->root, "no memory");
    }
    for (size_t k = 0; k < w->contacts; k++) {
        mu[k] = w->problem->set->blocks[k].mu;
        mu[w->contacts + k] = w->problem->set->blocks[k].mu_rolling;
    }
    status = put_vector(w, "mu", w->contacts, mu);
    if (status == PERP_OK && w->form == FCLIB_ROLLING) {
        status = put_vector(w, "mu_r", w->contacts, mu + w->contacts);
    }
    free(mu);
    return status;
}

/* A block of an operator, as `name`. */
static perp_status put_matrix(fclib_writing *w, const char *name, const perp_operator *A,
                              size_t row, size_t col, size_t rows, size_t cols)
{
    char inside[PERP_H5_PATH];

    return perp_fclib_write_matrix(&w->f, perp_h5_join(inside, w->root, name), A, row,
                                   col, rows, cols);
}

static perp_status put_local(fclib_writing *w)
{
    const perp_operator *A = w->problem->A;
    const double *b = w->problem->b;
    perp_status status = put_matrix(w, "W", A, 0, 0, w->m, w->m);

    status = status ? status : put_vector(w, "q", w->m, b);
    if (status == PERP_OK && w->p > 0) {
        status = put_matrix(w, "V", A, 0, w->m, w->m, w->p);
        status = status ? status : put_matrix(w, "R", A, w->m, w->m, w->p, w->p);
        status = status ? status : put_vector(w, "s", w->p, b + w->m);
    }
    return status;
}

static perp_status put_global(fclib_writing *w)
{
    const perp_global *g = w->problem->global;
    const double *b = w->problem->b;
    perp_status status = put_matrix(w, "M", g->M, 0, 0, w->n_v, w->n_v);

    status = status ? status : put_matrix(w, "H", g->H, 0, 0, w->n_v, w->m);
    status = status ? status : put_vector(w, "f", w->n_v, g->f);
    status = status ? status : put_vector(w, "w", w->m, b);
    if (status == PERP_OK && g->G) {
        status = put_matrix(w, "G", g->G, 0, 0, w->n_v, w->p);
        status = status ? status : put_vector(w, "b", w->p, b + w->m);
    }
    return status;
}

static perp_status put_info(fclib_writing *w)
{
    const perp_problem *p = w->problem;
    char group[PERP_H5_PATH];
    char inside[PERP_H5_PATH];
    perp_status status = PERP_OK;

    if (!p->title && !p->description && !p->math_info) {
        return PERP_OK;
    }
    status = perp_h5_put_group(&w->f, perp_h5_join(group, w->root, "info"));
    status =
        status ? status
               : perp_h5_put_text(&w->f, perp_h5_join(inside, group, "title"), p->title);
    status = status ? status
                    : perp_h5_put_text(&w->f, perp_h5_join(inside, group, "description"),
                                       p->description);
    return status ? status
                  : perp_h5_put_text(&w->f, perp_h5_join(inside, group, "math_info"),
                                     p->math_info);
}

/* r and l from z, u from w, v: what there is. */
static perp_status put_point(fclib_writing *w, const char *group, const perp_point *point)
{
    char inside[PERP_H5_PATH];
    perp_status status = perp_h5_put_group(&w->f, group);

    if (status == PERP_OK && point->v && w->form != FCLIB_LOCAL) {
        status =
            perp_h5_put_reals(&w->f, perp_h5_join(inside, group, "v"), w->n_v, point->v);
    }
    if (status == PERP_OK && point->w) {
        status =
            perp_h5_put_reals(&w->f, perp_h5_join(inside, group, "u"), w->m, point->w);
    }
    if (status == PERP_OK) {
        status =
            perp_h5_put_reals(&w->f, perp_h5_join(inside, group, "r"), w->m, point->z);
    }
    if (status == PERP_OK && w->p > 0) {
        status = perp_h5_put_reals(&w->f, perp_h5_join(inside, group, "l"), w->p,
                                   point->z + w->m);
    }
    return status;
}

static perp_status put_points(fclib_writing *w)
{
    const perp_problem *p = w->problem;
    perp_status status = PERP_OK;

    if (p->solution) {
        status = put_point(w, "/solution", p->solution);
    }
    if (status == PERP_OK && p->guess_count > 0) {
        status = perp_h5_put_group(&w->f, "/guesses");
        status = status ? status
                        : perp_h5_put_integer(&w->f, "/guesses/number_of_guesses",
                                              p->guess_count);
    }
    for (size_t k = 0; status == PERP_OK && k < p->guess_count; k++) {
        char group[PERP_H5_PATH];

        snprintf(group, sizeof group, "/guesses/%zu", k + 1);
        status = put_point(w, group, &p->guesses[k]);
    }
    return status;
}

static perp_status put_all(fclib_writing *w)
{
    char inside[PERP_H5_PATH];
    perp_status status = perp_h5_put_group(&w->f, w->root);

    status = status ? status
                    : perp_h5_put_integer(
                          &w->f, perp_h5_join(inside, w->root, "spacedim"), w->dim);
    status = status ? status : put_info(w);
    status = status ? status
                    : perp_h5_put_group(&w->f, perp_h5_join(inside, w->root, "vectors"));
    status = status ? status : put_friction(w);
    status = status ? status : w->form == FCLIB_LOCAL ? put_local(w) : put_global(w);
    return status ? status : put_points(w);
}

perp_status perp_fclib_write(const char *path, const perp_problem *p, const char *kind,
                             perp_error *err)
{
    fclib_writing w = {.problem = p};
    char *temporary = NULL;
    perp_status closed = PERP_OK;
    perp_status status = choose_form(&w, path, kind, err);

    if (status == PERP_OK) {
        status = perp_file_temporary(&temporary, path, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    status = perp_h5_create(&w.f, temporary, err);
    if (status == PERP_OK) {
        status = put_all(&w);
    }
    closed = perp_h5_close(&w.f);
    status = status == PERP_OK ? closed : status;
    if (status == PERP_OK) {
        status = perp_file_install(temporary, path, err);
    } else {
        remove(temporary);
    }
    free(temporary);
    return status;
}
