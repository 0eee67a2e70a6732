/* SPDX-License-Identifier: Apache-2.0
 * runner/instance.c: a problem by its file or generator call, made into what is asked.
 *
 * file or call -> (global? condensed) -> (associated law?) -> (pyramid, box?) -> problem */
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

static perp_status instance_read(instance *in, const instance_request *request,
                                 perp_error *err)
{
    if (instance_is_call(request->path)) {
        return call_make(&in->given, request->path + sizeof instance_prefix - 1, err);
    }
    return perp_problem_read(&in->given, request->path, &request->read, &in->notes, err);
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
        if (perp_reform_condense(&t, in->problem, err) != PERP_OK) {
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

perp_status instance_open(instance **out, const instance_request *request,
                          perp_error *err)
{
    instance *in = calloc(1, sizeof *in);
    perp_error inner = {0};

    *out = NULL;
    if (!in) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", request->path);
    }
    instance_name(request->path, request->read.item, in->name);
    if (instance_read(in, request, &inner) != PERP_OK) {
        goto failed;
    }
    in->problem = in->given;
    if (perp_problem_check(in->given, &inner) != PERP_OK ||
        instance_form(in, request, &inner) != PERP_OK) {
        goto failed;
    }
    *out = in;
    return PERP_OK;
failed:
    instance_free(in);
    /* Readers name the file themselves; others do not know it. */
    if (!strstr(inner.text, request->path)) {
        perp_fail_in(&inner, inner.status, request->path);
    }
    return perp_fail(err, inner.status, "%s", inner.text);
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

/* Carry a point of the problem as given to the problem as asked. */
static perp_status instance_forth(const instance *in, const double *from, double *z,
                                  perp_error *err)
{
    double *here = perp_reals_new(in->given->n);
    perp_status status = PERP_OK;

    if (!here) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a starting point");
    }
    memcpy(here, from, in->given->n * sizeof *here);
    for (size_t k = 0; k < in->steps && status == PERP_OK; k++) {
        const perp_reform *t = in->step[k];
        double *next = perp_reals_new(t->to->n);

        if (!next) {
            status = perp_fail(err, PERP_ERR_MEMORY, "no memory for a starting point");
        } else {
            t->type->forth(t->state, t->from, here, next);
            free(here);
            here = next;
        }
    }
    if (status == PERP_OK) {
        memcpy(z, here, in->problem->n * sizeof *z);
    }
    free(here);
    return status;
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
