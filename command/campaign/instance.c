/* SPDX-License-Identifier: Apache-2.0
 * runner/instance.c: a problem from a file, a generator call or a step of a scene,
 * reformulated as requested.
 *
 * file or call -> canonical storage -> (global: condensed, or in factors)
 *              -> (friction: associated, box, pyramid:N) -> problem
 *
 * The storage follows from the entries of the matrices, not from the format of the file, so that
 * the same problem gives the same bits from every file and call. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"
#include "command/campaign/call.h"
#include "command/campaign/instance.h"
#include "command/campaign/solution.h"
#include "command/cli/take.h"
#include "command/simulate/recipe.h"

static const char instance_prefix[] = "generate:";

bool instance_is_call(const char *path)
{
    return strncmp(path, instance_prefix, sizeof instance_prefix - 1) == 0;
}

/* Extensions of instances are taken off; KaplasTower-i1061-4.hdf5.dat has two. */
static void instance_stem(char *name)
{
    static const char *const known[] = {".dat", ".hdf5", ".h5",  ".json",
                                        ".mtx", ".npz",  ".mat", NULL};
    char *dot = NULL;

    while ((dot = strrchr(name, '.')) && dot != name) {
        size_t k = 0;

        while (known[k] && strcmp(known[k], dot) != 0) {
            k++;
        }
        if (!known[k]) {
            return;
        }
        *dot = '\0';
    }
}

/* The name with the number of an item of a sequence, shortened so that both fit. */
static void instance_name_shorten(char name[INSTANCE_NAME], const char *whole,
                                  size_t item)
{
    char number[32] = "";

    if (item) {
        snprintf(number, sizeof number, "#%zu", item);
    }
    perp_text_shorten(name, INSTANCE_NAME - strlen(number), whole);
    strcat(name, number);
}

void instance_name(const char *path, size_t item, char name[INSTANCE_NAME])
{
    const char *slash = strrchr(path, '/');
    char *whole = NULL;

    if (instance_is_call(path)) {
        snprintf(name, INSTANCE_NAME, "%s", path + sizeof instance_prefix - 1);
        return;
    }
    if (recipe_is_call(path)) {
        snprintf(name, INSTANCE_NAME, "%s", recipe_call(path));
        return;
    }
    whole = take_made(perp_text_utf8(slash && slash[1] ? slash + 1 : path));
    instance_stem(whole);
    instance_name_shorten(name, whole, item);
    free(whole);
}

static perp_status instance_read(perp_problem **p, perp_notes *notes,
                                 const instance_request *request, perp_error *err)
{
    if (instance_is_call(request->path)) {
        return call_make(p, request->path + sizeof instance_prefix - 1, err);
    }
    if (recipe_is_call(request->path)) {
        return recipe_make(request->path, request->global != PERP_GLOBAL_CONDENSED, p,
                           err);
    }
    return perp_problem_read(p, request->path, &request->read, notes, err);
}

static perp_status instance_reform(instance *in, const instance_request *request,
                                   perp_error *err)
{
    perp_status status = perp_reform_path_new(&in->path, in->given, err);
    if (status == PERP_OK) {
        status = perp_reform_path_push_local(in->path, request->global, err);
    }
    if (status == PERP_OK && request->friction) {
        status = perp_reform_path_push_named(in->path, request->friction, err);
    }
    if (status == PERP_OK) {
        in->problem = perp_reform_path_end(in->path);
    }
    return status;
}

/* Put the path before a message that does not name it. */
static perp_status instance_fail(const instance_request *request, perp_error *inner,
                                 perp_error *err)
{
    if (!strstr(inner->text, request->path)) {
        perp_fail_in(inner, inner->status, request->path);
    }
    return perp_fail(err, inner->status, "%s", inner->text);
}

perp_status instance_new(instance **out, perp_problem *p, const instance_request *request,
                         perp_error *err)
{
    instance *in = take(1, sizeof *in);
    perp_error inner = {0};
    perp_status status = PERP_OK;

    *out = NULL;
    instance_name(request->path, request->read.item, in->name);
    in->given = p;
    status = perp_problem_canonical(p, &inner);
    if (status == PERP_OK) {
        status = perp_problem_seal(p, &inner);
    }
    if (status == PERP_OK) {
        status = instance_reform(in, request, &inner);
    }
    if (status != PERP_OK) {
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
    perp_status status = PERP_OK;

    *in = NULL;
    if (instance_read(&p, &notes, request, &inner) != PERP_OK) {
        return instance_fail(request, &inner, err);
    }
    status = instance_new(in, p, request, err);
    if (status == PERP_OK) {
        (*in)->notes = notes;
    }
    return status;
}

void instance_free(instance *in)
{
    if (!in) {
        return;
    }
    perp_reform_path_free(in->path);
    perp_problem_free(in->given);
    free(in);
}

void instance_map(const instance *in, const double *given, double *z)
{
    perp_reform_path_map(in->path, 0, perp_reform_path_count(in->path), given, z);
}

void instance_unmap(const instance *in, const double *z, double *given)
{
    perp_reform_path_unmap(in->path, perp_reform_path_count(in->path), 0, z, given);
}

static perp_status instance_start_file(const instance *in, const char *path, double *z,
                                       perp_error *err)
{
    solution *s = NULL;
    perp_status status = PERP_OK;

    TRY(solution_read(&s, path, err));
    if (s->z && s->n == in->problem->n) {
        memcpy(z, s->z, s->n * sizeof *z);
    } else if (s->z && s->n == in->given->n) {
        instance_map(in, s->z, z);
    } else {
        status = perp_fail(err, PERP_ERR_DATA, "%s: holds %zu number%s, expected %zu",
                           path, s->n, perp_plural(s->n), in->problem->n);
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
        instance_map(in, in->given->guesses[0].z, z);
        return PERP_OK;
    }
    *what = start;
    return instance_start_file(in, start, z, err);
}
