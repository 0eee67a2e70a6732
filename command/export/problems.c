/* SPDX-License-Identifier: Apache-2.0
 * export/problems.c: instances and the items of sequences, added to a collection. */
#include <config.h>

#include <stdio.h>

#include <perp/sequence.h>

#include "command/campaign/call.h"
#include "command/cli/data.h"
#include "command/cli/take.h"
#include "command/export/export.h"
#include "command/export/provenance.h"
#include "command/simulate/recipe.h"

/* No format of one problem holds factors: A multiplied out, once for index and file. */
static perp_status problem_multiply(perp_problem *p, perp_error *err)
{
    size_t e = perp_set_block_size(p->set);
    perp_operator *A = NULL;
    perp_status status = PERP_OK;

    if (!p->A || !perp_operator_in_factors(p->A)) {
        return PERP_OK;
    }
    status = perp_operator_convert(&A, p->A, e > 1 ? PERP_STORAGE_BSR : PERP_STORAGE_CSR,
                                   e, err);
    if (status == PERP_OK) {
        perp_operator_free(p->A);
        p->A = A;
        p->sealed = false;
    }
    return status;
}

/* Is the problem to be written as it is? */
static bool problem_stays(const export_orders *o, const perp_problem *p)
{
    return !o->friction && (p->A || !o->condense);
}

perp_status export_problem(const export_orders *o, perp_problem *p, const char *name,
                           const collection_origin *origin, perp_error *err)
{
    const instance_request request = {.path = name, .friction = o->friction};
    instance *in = NULL;
    perp_status status = problem_multiply(p, err);

    if (status != PERP_OK) {
        perp_problem_free(p);
        return status;
    }
    if (problem_stays(o, p)) {
        status = collection_add(o->to, p, name, origin, err);
        perp_problem_free(p);
        return status;
    }
    status = instance_new(&in, p, &request, err);
    if (status == PERP_OK) {
        status = collection_add(o->to, in->problem, name, origin, err);
    }
    instance_free(in);
    return status;
}

/* What perp computes has its call as source; a file, what the page beside it states. */
static perp_status problem_origin(const char *path, provenance *found,
                                  collection_origin *origin)
{
    char source[DATA_PATH + 32];
    perp_status status = PERP_OK;

    origin->computed = instance_is_call(path) || recipe_is_call(path);
    if (origin->computed) {
        snprintf(source, sizeof source, "perp %s, %s", perp_version(), path);
        *found = (provenance){.source = take_text(source)};
        status = PERP_OK;
    } else {
        provenance_find(path, found);
    }
    origin->source = found->source;
    origin->licence = found->licence;
    return status;
}

/* The problem of a call or of an item of a file, as it is. */
static perp_status problem_open(const char *path, const perp_read_options *read,
                                perp_problem **p, perp_error *err)
{
    const instance_request request = {.path = path};
    instance *in = NULL;
    perp_status status = PERP_OK;

    if (!instance_is_call(path) && !recipe_is_call(path)) {
        return perp_problem_read(p, path, read, NULL, err);
    }
    status = instance_open(&in, &request, err);
    if (status == PERP_OK) { /* a call makes a local problem: it is the one asked for */
        *p = in->given;
        in->given = NULL;
    }
    instance_free(in);
    return status;
}

perp_status export_instance(const export_orders *o, const char *path,
                            const perp_read_options *read, const char *name,
                            perp_error *err)
{
    provenance found = {NULL, NULL};
    collection_origin origin;
    perp_problem *p = NULL;
    perp_status status = problem_origin(path, &found, &origin);

    if (status == PERP_OK) {
        status = problem_open(path, read, &p, err);
    }
    if (status == PERP_OK) {
        status = export_problem(o, p, name, &origin, err);
    }
    provenance_clear(&found);
    return status;
}

perp_status export_sequence(const export_orders *o, const char *path, const char *name,
                            perp_error *err)
{
    perp_sequence *s = NULL;
    provenance found = {NULL, NULL};
    collection_origin origin;
    perp_status status = problem_origin(path, &found, &origin);

    if (status == PERP_OK) {
        status = call_open_sequence(&s, path, err);
    }
    for (size_t k = 0; status == PERP_OK && k < perp_sequence_count(s) && !*o->stop;
         k++) {
        perp_sequence_item item = {0};
        char step[INSTANCE_NAME + 32];

        status = perp_sequence_get(s, k, &item, err);
        snprintf(step, sizeof step, "%s-%05zu", name, k);
        if (status == PERP_OK) {
            status = export_problem(o, item.problem, step, &origin, err);
            item.problem = NULL;
        }
        perp_sequence_item_clear(&item);
    }
    provenance_clear(&found);
    perp_sequence_free(s);
    return status;
}
