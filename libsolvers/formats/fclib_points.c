/* SPDX-License-Identifier: Apache-2.0
 * formats/fclib_points.c: the solution and the guesses in an FCLIB file.
 *
 *     /solution, /guesses/1, ...     v, u, r and, with free rows, l
 *
 * become z = (r, l), w = (u, 0) and v. They are kept and never trusted: in many files r is
 * identically zero. A point with NaN or infinity is left out with a note, since the problem
 * itself is sound. */
#include <config.h>

#include "base/base.h"
#include "fclib.h"

/* x[0..total-1]: the numbers of one dataset, then zeros or those of a second one. NULL when
 * the first is missing. */
static perp_status read_point_part(fclib_reading *r, const char *group, const char *name,
                                   size_t count, size_t total, double **x)
{
    char inside[PERP_H5_PATH];
    double *part = NULL;
    bool there = false;
    perp_status status = perp_h5_exists(&r->f, perp_h5_join(inside, group, name), &there);

    *x = NULL;
    if (!there) {
        return status;
    }
    status = perp_h5_reals(&r->f, inside, count, NULL, &part);
    if (status == PERP_OK) {
        *x = perp_reals_new(total);
        if (*x) {
            memcpy(*x, part, count * sizeof(double));
        } else {
            status = perp_h5_fail(&r->f, PERP_ERR_MEMORY, inside, "no memory");
        }
    }
    free(part);
    return status;
}

static void clear_point(perp_point *point)
{
    free(point->z);
    free(point->w);
    free(point->v);
    *point = (perp_point){0};
}

/* r, l -> z; u -> w; v. *useful: there is a z of finite numbers. */
static perp_status read_point(fclib_reading *r, const char *group, perp_point *point,
                              bool *useful)
{
    char inside[PERP_H5_PATH];
    size_t n = r->m + r->p;
    double *l = NULL;
    bool there = false;
    perp_status status = read_point_part(r, group, "r", r->m, n, &point->z);

    if (status == PERP_OK) {
        status = read_point_part(r, group, "u", r->m, n, &point->w);
    }
    if (status == PERP_OK && r->problem->global) {
        status = read_point_part(r, group, "v", r->n_v, r->n_v, &point->v);
    }
    if (status == PERP_OK && r->p > 0 && point->z) {
        status = perp_h5_exists(&r->f, perp_h5_join(inside, group, "l"), &there);
    }
    if (there) {
        status = perp_h5_reals(&r->f, inside, r->p, NULL, &l);
        if (status == PERP_OK) {
            memcpy(point->z + r->m, l, r->p * sizeof(double));
        }
    }
    free(l);
    *useful = status == PERP_OK && point->z && perp_all_finite(point->z, n) &&
              (!point->w || perp_all_finite(point->w, n)) &&
              (!point->v || perp_all_finite(point->v, r->n_v));
    if (status == PERP_OK && !*useful) {
        perp_note(r->notes,
                  "%s was left out: it has no r, or numbers that are not finite", group);
    }
    return status;
}

static perp_status read_solution(fclib_reading *r)
{
    perp_point *point = NULL;
    bool useful = false;
    bool there = false;
    perp_status status = perp_h5_exists(&r->f, "/solution", &there);

    if (!there) {
        return status;
    }
    point = calloc(1, sizeof *point);
    if (!point) {
        return perp_h5_fail(&r->f, PERP_ERR_MEMORY, "/solution", "no memory");
    }
    r->problem->solution = point;
    status = read_point(r, "/solution", point, &useful);
    if (!useful) {
        clear_point(point);
        free(point);
        r->problem->solution = NULL;
    }
    return status;
}

/* Guesses are counted from 1. */
static perp_status read_guesses(fclib_reading *r)
{
    int64_t count = 0;
    perp_problem *p = r->problem;
    bool there = false;
    perp_status status = perp_h5_exists(&r->f, "/guesses", &there);

    if (!there) {
        return status;
    }
    status = perp_h5_integer(&r->f, "/guesses/number_of_guesses", &count);
    if (status == PERP_OK && count < 0) {
        status = perp_h5_fail(&r->f, PERP_ERR_FORMAT, "/guesses/number_of_guesses",
                              "%lld, expected a number from 0", (long long)count);
    }
    for (int64_t k = 1; status == PERP_OK && k <= count; k++) {
        char group[PERP_H5_PATH];
        perp_point *guesses = NULL;
        bool useful = false;

        snprintf(group, sizeof group, "/guesses/%lld", (long long)k);
        status = perp_h5_exists(&r->f, group, &there);
        if (!there) {
            return status != PERP_OK
                       ? status
                       : perp_h5_fail(&r->f, PERP_ERR_FORMAT, group,
                                      "missing, expected %lld guesses", (long long)count);
        }
        guesses = realloc(p->guesses, (p->guess_count + 1) * sizeof *guesses);
        if (!guesses) {
            return perp_h5_fail(&r->f, PERP_ERR_MEMORY, group, "no memory");
        }
        p->guesses = guesses;
        guesses[p->guess_count] = (perp_point){0};
        status = read_point(r, group, &guesses[p->guess_count], &useful);
        if (useful) {
            p->guess_count++;
        } else {
            clear_point(&guesses[p->guess_count]);
        }
    }
    return status;
}

perp_status perp_fclib_read_points(fclib_reading *r)
{
    TRY(read_solution(r));
    return read_guesses(r);
}
