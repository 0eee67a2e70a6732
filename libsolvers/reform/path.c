/* SPDX-License-Identifier: Apache-2.0
 * reform/path.c: a path of reformulations, and points and certificates mapped along
 * it. */
#include <config.h>

#include "base/base.h"
#include "reforms.h"

struct perp_reform_path {
    const perp_problem *problem[PERP_REFORM_PATH_MAX + 1];
    perp_reform *step[PERP_REFORM_PATH_MAX];
    double
        *point[PERP_REFORM_PATH_MAX + 1]; /* one of each problem: scratch of the maps */
    size_t count;
};

/* Memory for a point of the problem at index k, unless it is there. */
static perp_status path_add_point(perp_reform_path *path, size_t k, perp_error *err)
{
    size_t n = path->problem[k]->n;

    path->point[k] = path->point[k] ? path->point[k] : perp_reals_new(n);
    return path->point[k] ? PERP_OK
                          : perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", n);
}

perp_status perp_reform_path_new(perp_reform_path **path, const perp_problem *p,
                                 perp_error *err)
{
    if (perp_check_arguments(path && p, "perp_reform_path_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    *path = calloc(1, sizeof **path);
    if (!*path) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a path");
    }
    (*path)->problem[0] = p;
    return PERP_OK;
}

void perp_reform_path_free(perp_reform_path *path)
{
    if (!path) {
        return;
    }
    for (size_t k = path->count; k-- > 0;) {
        perp_reform_free(path->step[k]);
    }
    for (size_t k = 0; k <= PERP_REFORM_PATH_MAX; k++) {
        free(path->point[k]);
    }
    free(path);
}

perp_status perp_reform_path_push(perp_reform_path *path, perp_reform *step,
                                  perp_error *err)
{
    if (perp_check_arguments(path, "perp_reform_path_push", err) != PERP_OK) {
        perp_reform_free(step);
        return PERP_ERR_ARGUMENT;
    }

    perp_status status = PERP_OK;

    if (!step) {
        return PERP_OK;
    }
    if (step->from != perp_reform_path_end(path)) {
        status =
            perp_fail(err, PERP_ERR_ARGUMENT,
                      "%s: it does not start from the problem at the end of the path",
                      step->type->name);
    } else if (path->count == PERP_REFORM_PATH_MAX) {
        status = perp_fail(err, PERP_ERR_UNSUITABLE, "more than %d reformulations",
                           PERP_REFORM_PATH_MAX);
    } else {
        path->problem[path->count + 1] = step->to;
        status = path_add_point(path, path->count, err);
    }
    if (status == PERP_OK) {
        status = path_add_point(path, path->count + 1, err);
    }
    if (status != PERP_OK) {
        perp_reform_free(step);
        return status;
    }
    path->step[path->count++] = step;
    return PERP_OK;
}

/* Boxes on four points each have more rows than velocities: from 40 contacts on solvers that
 * factor are 4 to 50 times faster in factors, and sweeps as fast. Spheres have fewer rows:
 * between 60 and 130 contacts solvers are up to 2 times slower in factors, from 280 on
 * faster. */
static bool path_suits_factors(const perp_problem *p)
{
    enum { FEW = 20, MANY = 200 };
    size_t contacts = perp_problem_contacts(p);

    return contacts > MANY || (contacts > FEW && p->n >= 2 * p->global->M->rows);
}

perp_status perp_reform_path_push_local(perp_reform_path *path, perp_global_form form,
                                        perp_error *err)
{
    if (perp_check_arguments(path, "perp_reform_path_push_local", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    const perp_problem *p = perp_reform_path_end(path);
    perp_reform *step = NULL;
    perp_status status = PERP_OK;

    if (p->A || !p->global) {
        return PERP_OK;
    }
    if (form == PERP_GLOBAL_FACTORED ||
        (form == PERP_GLOBAL_AUTO && path_suits_factors(p))) {
        status = perp_reform_factor(&step, p, err);
    }
    if (form == PERP_GLOBAL_AUTO && status == PERP_ERR_UNSUITABLE) { /* no factors of M */
        perp_error_clear(err);
        status = PERP_OK;
    }
    if (status == PERP_OK && !step) {
        status = perp_reform_condense(&step, p, err);
    }
    return status == PERP_OK ? perp_reform_path_push(path, step, err) : status;
}

perp_status perp_reform_path_push_named(perp_reform_path *path, const char *name,
                                        perp_error *err)
{
    if (perp_check_arguments(path && name, "perp_reform_path_push_named", err) !=
        PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_reform *step = NULL;

    TRY(perp_reform_named(&step, perp_reform_path_end(path), name, err));
    return perp_reform_path_push(path, step, err);
}

size_t perp_reform_path_count(const perp_reform_path *path)
{
    return path->count;
}

const perp_reform *perp_reform_path_step(const perp_reform_path *path, size_t k)
{
    return k < path->count ? path->step[k] : NULL;
}

const perp_problem *perp_reform_path_problem(const perp_reform_path *path, size_t k)
{
    return k <= path->count ? path->problem[k] : NULL;
}

const perp_problem *perp_reform_path_end(const perp_reform_path *path)
{
    return path->problem[path->count];
}

/* Copy a point of p. */
static void path_copy(double *to, const double *from, const perp_problem *p)
{
    if (p->n > 0 && to != from) {
        memcpy(to, from, p->n * sizeof *to);
    }
}

void perp_reform_path_map(perp_reform_path *path, size_t from, size_t to, const double *z,
                          double *zz)
{
    if (from == to) {
        path_copy(zz, z, path->problem[from]);
        return;
    }
    path_copy(path->point[from], z, path->problem[from]);
    for (size_t k = from; k < to; k++) {
        const perp_reform *t = path->step[k];

        t->type->map(t->state, t->from, path->point[k], path->point[k + 1]);
    }
    path_copy(zz, path->point[to], path->problem[to]);
}

void perp_reform_path_unmap(perp_reform_path *path, size_t from, size_t to,
                            const double *zz, double *z)
{
    if (from == to) {
        path_copy(z, zz, path->problem[from]);
        return;
    }
    path_copy(path->point[from], zz, path->problem[from]);
    for (size_t k = from; k > to; k--) {
        const perp_reform *t = path->step[k - 1];

        t->type->unmap(t->state, t->from, path->point[k], path->point[k - 1]);
    }
    path_copy(z, path->point[to], path->problem[to]);
}

bool perp_reform_path_certificate(perp_reform_path *path, size_t from, size_t to,
                                  const double *yy, double *y)
{
    if (from == to) {
        path_copy(y, yy, path->problem[from]);
        return true;
    }
    path_copy(path->point[from], yy, path->problem[from]);
    for (size_t k = from; k > to; k--) {
        const perp_reform *t = path->step[k - 1];

        if (!t->type->certificate) {
            return false;
        }
        t->type->certificate(t->state, t->from, path->point[k], path->point[k - 1]);
    }
    path_copy(y, path->point[to], path->problem[to]);
    return true;
}
