/* SPDX-License-Identifier: Apache-2.0
 * pivoting/solutions_contacts.c: all solutions of a small problem, also with friction.
 *
 * In the plane, and for box friction, the LCP of two directions and a multiplier per friction row has the
 * same solutions; several of its vertices may be one of the problem, since a force of sticking splits
 * between the directions in many ways. In space the modes of up to three contacts are tried. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include <perp/reform.h>

#include "base/base.h"
#include "core/solvers.h"
#include "judge/judge.h"
#include "pivoting/contact_modes.h"
#include "pivoting/solutions.h"
#include "reform/reforms.h"

static const double accepted = 1e-10; /* residual of a solution */
static const double same = 1e-8;      /* of two solutions, relative to the larger */

/* The number of z in a list of `count`; `count`: it is new. */
static size_t contacts_find(const double *list, size_t count, const double *z, size_t n)
{
    size_t k = 0;

    for (bool found = false; k < count; k++) {
        double distance = 0.0, size = 0.0;

        for (size_t i = 0; i < n; i++) {
            distance = fmax(distance, fabs(z[i] - list[k * n + i]));
            size = fmax(size, fmax(fabs(z[i]), fabs(list[k * n + i])));
        }
        found = distance <= same * size;
        if (found) {
            break;
        }
    }
    return k;
}

/* What lies around each: the middle between two solves if both are on one face. */
static perp_status contacts_kinds(const perp_problem *p, perp_solutions *f,
                                  perp_error *err)
{
    perp_judge *judge = NULL;
    double *z = perp_reals_new(p->n);
    perp_status status = perp_judge_new(&judge, p, err);

    f->kind = calloc(f->count + 1, sizeof *f->kind);
    f->joined = calloc(f->count * f->count + 1, sizeof *f->joined);
    if (status == PERP_OK && (!z || !f->kind || !f->joined)) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu solutions", f->count);
    }
    for (size_t k = 0; k < f->count && status == PERP_OK; k++) {
        for (size_t l = 0; l < k; l++) {
            for (size_t i = 0; i < p->n; i++) {
                z[i] = 0.5 * f->z[k * p->n + i] + 0.5 * f->z[l * p->n + i];
            }
            if (perp_judge_residual(judge, z) <= accepted) {
                f->joined[k * f->count + l] = f->joined[l * f->count + k] = true;
                f->kind[k] = f->kind[l] = PERP_SOLUTION_ON_FACE;
            }
        }
    }
    for (size_t k = 0; k < f->ray_count && status == PERP_OK; k++) {
        f->kind[f->ray_of[k]] = PERP_SOLUTION_UNBOUNDED;
    }
    perp_judge_free(judge);
    free(z);
    return status;
}

/* The vertices and rays of the LCP `from` as points and directions of the problem at the start of the path. */
static void contacts_map(perp_reform_path *path, const perp_solutions *from, size_t *of,
                         double *zz, perp_solutions *f)
{
    const size_t end = perp_reform_path_count(path), n = f->n;

    for (size_t k = 0; k < from->count; k++) {
        double *z = f->z + n * f->count;

        perp_reform_path_unmap(path, end, 0, from->z + k * from->n, z);
        of[k] = contacts_find(f->z, f->count, z, n);
        f->count += of[k] == f->count;
    }
    for (size_t r = 0; r < from->ray_count; r++) {
        const size_t k = from->ray_of[r];
        double *d = f->ray + n * f->ray_count, most = 0.0;

        for (size_t i = 0; i < from->n; i++) {
            zz[i] = from->z[k * from->n + i] + from->ray[r * from->n + i];
        }
        perp_reform_path_unmap(path, end, 0, zz, d);
        for (size_t i = 0; i < n; i++) {
            d[i] -= f->z[of[k] * n + i];
            most = fmax(most, fabs(d[i]));
        }
        if (most > same) { /* else a multiplier alone moves */
            for (size_t i = 0; i < n; i++) {
                d[i] /= most;
            }
            f->ray_of[f->ray_count++] = of[k];
        }
    }
}

static perp_status contacts_plane(const perp_problem *p, perp_solutions *f,
                                  perp_error *err)
{
    perp_reform_path *path = NULL;
    perp_reform *step = NULL;
    perp_solutions *inner = NULL;
    double *zz = NULL;
    size_t *of = NULL;
    perp_status status = perp_reform_path_new(&path, p, err);

    if (status == PERP_OK && (perp_set_kinds(p->set) & PERP_SET_CONE)) {
        status = perp_reform_plane(&step, p, err);
        status = status == PERP_OK ? perp_reform_path_push(path, step, err) : status;
    }
    if (status == PERP_OK) {
        status = perp_reform_friction_to_lcp(&step, perp_reform_path_end(path), err);
        status = status == PERP_OK ? perp_reform_path_push(path, step, err) : status;
    }
    if (status == PERP_OK) {
        status = solution_search_all(perp_reform_path_end(path), &inner, err);
    }
    if (status == PERP_OK) {
        zz = perp_reals_new(inner->n);
        of = calloc(inner->count + 1, sizeof *of);
        f->z = calloc((inner->count + 1) * p->n, sizeof *f->z);
        f->ray = calloc((inner->ray_count + 1) * p->n, sizeof *f->ray);
        f->ray_of = calloc(inner->ray_count + 1, sizeof *f->ray_of);
        if (!zz || !of || !f->z || !f->ray || !f->ray_of) {
            status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu solutions",
                               inner->count);
        }
    }
    if (status == PERP_OK) {
        contacts_map(path, inner, of, zz, f);
        f->sets = inner->sets;
        f->singular = inner->singular;
        f->lines = inner->lines;
        f->complete = inner->complete;
    }
    perp_solutions_free(inner);
    perp_reform_path_free(path);
    free(zz);
    free(of);
    return status;
}

static perp_status contacts_solutions(const perp_problem *p, perp_solutions **out,
                                      perp_error *err)
{
    perp_solutions *f = calloc(1, sizeof *f);
    perp_status status =
        f ? PERP_OK : perp_fail(err, PERP_ERR_MEMORY, "no memory for solutions");

    if (status == PERP_OK) {
        f->n = p->n;
        status = perp_contact_modes_take(p) ? perp_contact_modes_find(p, f, err)
                 : perp_reform_is_plane(p)
                     ? contacts_plane(p, f, err)
                     : perp_fail(err, PERP_ERR_UNSUITABLE,
                                 "all solutions are found of at most three contacts "
                                 "in space under Coulomb's law without other rows, "
                                 "and of contacts in the plane");
    }
    if (status == PERP_OK) {
        status = contacts_kinds(p, f, err);
    }
    if (status != PERP_OK) {
        perp_solutions_free(f);
        return status;
    }
    *out = f;
    return PERP_OK;
}

perp_status perp_solutions_find(const perp_problem *p, perp_solutions **out,
                                perp_error *err)
{
    const unsigned friction = PERP_SET_CONE | PERP_SET_ROLLING | PERP_SET_FRICTION;

    *out = NULL;
    if (!p->A) {
        return perp_reform_needs_local(p, err);
    }
    return perp_set_kinds(p->set) & friction ? contacts_solutions(p, out, err)
                                             : solution_search_all(p, out, err);
}
