/* SPDX-License-Identifier: Apache-2.0
 * runner/instance.c: a problem by its file or generator call, made into what is asked.
 *
 * file or call -> (global? condensed, or in factors) -> (associated law?)
 *              -> (pyramid, box?) -> problem */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/runner/call.h"
#include "experiments/runner/instance.h"
#include "experiments/runner/solution.h"

static const char instance_prefix[] = "generate:";

bool instance_is_call(const char *path)
{
    return strncmp(path, instance_prefix, sizeof instance_prefix - 1) == 0;
}

void instance_name(const char *path, size_t item, char name[INSTANCE_NAME])
{
    const char *slash = strrchr(path, '/');
    char *dot = NULL;

    if (instance_is_call(path)) {
        snprintf(name, INSTANCE_NAME, "%s", path + sizeof instance_prefix - 1);
        return;
    }
    snprintf(name, INSTANCE_NAME, "%s", slash && slash[1] ? slash + 1 : path);
    /* KaplasTower-i1061-4.hdf5.dat has two extensions. */
    while ((dot = strrchr(name, '.')) && dot != name) {
        static const char *const known[] = {".dat", ".hdf5", ".h5",  ".json",
                                            ".mtx", ".npz",  ".mat", NULL};
        size_t k = 0;

        while (known[k] && strcmp(known[k], dot) != 0) {
            k++;
        }
        if (!known[k]) {
            break;
        }
        *dot = '\0';
    }
    if (item) {
        size_t length = strlen(name);

        snprintf(name + length, INSTANCE_NAME - length, "#%zu", item);
    }
}

static perp_status instance_read(perp_problem **p, perp_notes *notes,
                                 const instance_request *request, perp_error *err)
{
    if (instance_is_call(request->path)) {
        return call_make(p, request->path + sizeof instance_prefix - 1, err);
    }
    return perp_problem_read(p, request->path, &request->read, notes, err);
}

/* Take over a reformulation, if there is one. */
static void instance_step(instance *in, perp_reform *t)
{
    if (t) {
        in->step[in->steps++] = t;
        in->problem = t->to;
    }
}

static perp_status instance_form(instance *in, const instance_request *request,
                                 perp_error *err)
{
    perp_reform *t = NULL;

    if (in->problem->global && !in->problem->A) {
        if ((request->factored ? perp_reform_factor(&t, in->problem, err)
                               : perp_reform_condense(&t, in->problem, err)) != PERP_OK) {
            return err->status;
        }
        instance_step(in, t);
    }
    if (request->law && strcmp(request->law, "associated") == 0) {
        if (perp_reform_associated(&t, in->problem, err) != PERP_OK) {
            return err->status;
        }
        instance_step(in, t);
    } else if (request->law && strcmp(request->law, "coulomb") != 0) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "law is \"%s\", expected coulomb or associated", request->law);
    }
    if (request->formulation) {
        t = NULL;
        if (perp_reform_named(&t, in->problem, request->formulation, err) != PERP_OK) {
            return err->status;
        }
        instance_step(in, t);
    }
    return PERP_OK;
}

/* Readers name the file themselves; others do not know it. */
static perp_status instance_fail(const instance_request *request, perp_error *inner,
                                 perp_error *err)
{
    if (!strstr(inner->text, request->path)) {
        perp_fail_in(inner, inner->status, request->path);
    }
    return perp_fail(err, inner->status, "%s", inner->text);
}

perp_status instance_take(instance **out, perp_problem *p,
                          const instance_request *request, perp_error *err)
{
    instance *in = calloc(1, sizeof *in);
    perp_error inner = {0};

    *out = NULL;
    if (!in) {
        perp_problem_free(p);
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", request->path);
    }
    instance_name(request->path, request->read.item, in->name);
    in->problem = in->given = p;
    if (perp_problem_seal(p, &inner) != PERP_OK ||
        instance_form(in, request, &inner) != PERP_OK) {
        instance_free(in);
        return instance_fail(request, &inner, err);
    }
    *out = in;
    return PERP_OK;
}

perp_status instance_open(instance **in, const instance_request *request, perp_error *err)
{
    perp_problem *p = NULL;
    perp_notes notes = {0};
    perp_error inner = {0};

    *in = NULL;
    if (instance_read(&p, &notes, request, &inner) != PERP_OK) {
        return instance_fail(request, &inner, err);
    }
    if (instance_take(in, p, request, err) != PERP_OK) {
        return err ? err->status : PERP_ERR_DATA;
    }
    (*in)->notes = notes;
    return PERP_OK;
}

void instance_free(instance *in)
{
    if (!in) {
        return;
    }
    while (in->steps) {
        perp_reform_free(in->step[--in->steps]);
    }
    perp_problem_free(in->given);
    free(in);
}

/* Carry a point through the steps, forth to the problem as asked or back to the given. */
static perp_status instance_carry(const instance *in, bool back, const double *from,
                                  double *to, perp_error *err)
{
    size_t n = back ? in->problem->n : in->given->n;
    double *here = perp_reals_new(n);

    if (!here) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a point of %zu rows", n);
    }
    memcpy(here, from, n * sizeof *here);
    for (size_t k = 0; k < in->steps; k++) {
        const perp_reform *t = in->step[back ? in->steps - 1 - k : k];
        double *next = NULL;

        n = back ? t->from->n : t->to->n;
        next = perp_reals_new(n);
        if (!next) {
            free(here);
            return perp_fail(err, PERP_ERR_MEMORY, "no memory for a point of %zu rows",
                             n);
        }
        (back ? t->type->unmap : t->type->map)(t->state, t->from, here, next);
        free(here);
        here = next;
    }
    memcpy(to, here, n * sizeof *to);
    free(here);
    return PERP_OK;
}

perp_status instance_forth(const instance *in, const double *given, double *z,
                           perp_error *err)
{
    return instance_carry(in, false, given, z, err);
}

perp_status instance_back(const instance *in, const double *z, double *given,
                          perp_error *err)
{
    return instance_carry(in, true, z, given, err);
}

static perp_status instance_start_file(const instance *in, const char *path, double *z,
                                       perp_error *err)
{
    solution *s = NULL;
    perp_status status = solution_read(&s, path, err);

    if (status != PERP_OK) {
        return status;
    }
    if (s->z && s->n == in->problem->n) {
        memcpy(z, s->z, s->n * sizeof *z);
    } else if (s->z && s->n == in->given->n) {
        status = instance_forth(in, s->z, z, err);
    } else {
        status = perp_fail(err, PERP_ERR_DATA, "%s: holds %zu numbers, expected %zu",
                           path, s->n, in->problem->n);
    }
    solution_free(s);
    return status;
}

perp_status instance_start(const instance *in, const char *start, double *z,
                           const char **what, perp_error *err)
{
    memset(z, 0, in->problem->n * sizeof *z);
    *what = "cold";
    if (!start || strcmp(start, "cold") == 0) {
        return PERP_OK;
    }
    if (strcmp(start, "guess") == 0) {
        if (!in->given->guess_count || !in->given->guesses[0].z) {
            return PERP_OK;
        }
        *what = "guess";
        return instance_forth(in, in->given->guesses[0].z, z, err);
    }
    *what = start;
    return instance_start_file(in, start, z, err);
}
