/* SPDX-License-Identifier: Apache-2.0
 * core/result.c: the answer of a solver and its certificates. */
#include <config.h>

#include <stddef.h>
#include <stdio.h>

#include "base/base.h"
#include "core/solvers.h"

const char *perp_outcome_text(perp_outcome outcome)
{
    switch (outcome) {
#define PERP_CASE(name, text)                                                            \
    case name:                                                                           \
        return text;
        PERP_OUTCOME_LIST(PERP_CASE)
#undef PERP_CASE
    }
    return "unknown outcome";
}

perp_status perp_result_new(perp_result **r, size_t n, perp_error *err)
{
    if (perp_check_arguments(r, "perp_result_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_status status = perp_result_new_without_history(r, n, err);

    if (status == PERP_OK) {
        (*r)->history = calloc(PERP_HISTORY_MAX, sizeof *(*r)->history);
        if (!(*r)->history) {
            perp_result_free(*r);
            *r = NULL;
            return perp_fail(err, PERP_ERR_MEMORY, "no memory for a result of %zu rows",
                             n);
        }
    }
    return status;
}

perp_status perp_result_new_without_history(perp_result **r, size_t n, perp_error *err)
{
    perp_result *s = calloc(1, sizeof *s);

    *r = NULL;
    if (!s) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a result");
    }
    s->n = n;
    s->z = perp_reals_new(n);
    s->w = perp_reals_new(n);
    if (!s->z || !s->w) {
        perp_result_free(s);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a result of %zu rows", n);
    }
    perp_result_restart(s);
    *r = s;
    return PERP_OK;
}

void perp_result_free(perp_result *r)
{
    if (r) {
        free(r->z);
        free(r->w);
        perp_certificate_clear(&r->certificate);
        free(r->history);
        free(r);
    }
}

void perp_result_restart(perp_result *r)
{
    size_t n = r->n;
    double *z = r->z, *w = r->w;
    perp_history_sample *history = r->history;

    perp_certificate_clear(&r->certificate);
    perp_result_begin(r, n, z, w, history);
}

void perp_result_begin(perp_result *r, size_t n, double *z, double *w,
                       perp_history_sample *history)
{
    size_t steps = offsetof(perp_result, path.step), more = steps + sizeof r->path.step;

    memset(r, 0, steps); /* the words of a path that has no steps stay: 5 kB */
    memset((char *)r + more, 0, sizeof *r - more);
    r->n = n;
    r->z = z;
    r->w = w;
    r->history = history;
    r->history_stride = 1;
    r->residual = r->residual_given = r->run.best_residual = INFINITY;
}

void perp_solution_path_copy(perp_solution_path *to, const perp_solution_path *from)
{
    to->count = from->count;
    to->more = from->more;
    memcpy(to->step, from->step, from->count * sizeof *to->step);
}

void perp_result_log(perp_result *r, const char *format, ...)
{
    va_list args;
    char *step = NULL;

    if (r->path.count == PERP_PATH_MAX) {
        r->path.more++;
        snprintf(r->path.step[PERP_PATH_MAX - 1], PERP_PATH_LENGTH, "and %zu more step%s",
                 r->path.more + 1, perp_plural(r->path.more + 1));
        return;
    }
    step = r->path.step[r->path.count++];
    va_start(args, format);
    perp_message_write(step, PERP_PATH_LENGTH, format, args);
    va_end(args);
}

perp_status perp_result_end(perp_result *r, perp_outcome outcome, const char *format, ...)
{
    va_list args;

    r->outcome = outcome;
    va_start(args, format);
    perp_message_write(r->reason, sizeof r->reason, format, args);
    va_end(args);
    return PERP_OK;
}

perp_status perp_result_refuse(perp_result *r, perp_outcome outcome, size_t row,
                               const char *why)
{
    r->singular_row = row;
    return perp_result_end(r, outcome, "%s at row %zu", why, row);
}

perp_status perp_result_certify(perp_result *r, const perp_certificate *c,
                                perp_error *err)
{
    perp_certificate *own = &r->certificate;

    TRY(perp_certificate_init(own, c->kind, r->n, c->steps, err));
    if (own->y) {
        memcpy(own->y, c->y, r->n * sizeof *own->y);
    }
    if (own->dz) {
        memcpy(own->dz, c->dz, r->n * sizeof *own->dz);
        memcpy(own->cover, c->cover, r->n * sizeof *own->cover);
        own->z0 = c->z0;
        own->dz0 = c->dz0;
    }
    if (own->states) {
        memcpy(own->states, c->states, c->steps * r->n);
        own->rule = c->rule;
    }
    return PERP_OK;
}

perp_status perp_result_certify_infeasible(perp_result *r, const double *y,
                                           perp_error *err)
{
    const perp_certificate c = {.kind = PERP_CERTIFICATE_INFEASIBLE,
                                .y = perp_borrowed(y)};

    return perp_result_certify(r, &c, err);
}

perp_status perp_result_certify_ray(perp_result *r, const double *z, double z0,
                                    const double *dz, double dz0, const double *cover,
                                    perp_error *err)
{
    const perp_certificate c = {.kind = PERP_CERTIFICATE_RAY,
                                .y = perp_borrowed(z),
                                .dz = perp_borrowed(dz),
                                .cover = perp_borrowed(cover),
                                .z0 = z0,
                                .dz0 = dz0};

    return perp_result_certify(r, &c, err);
}

perp_status perp_result_certify_singular(perp_result *r, const double *x, perp_error *err)
{
    const perp_certificate c = {.kind = PERP_CERTIFICATE_SINGULAR, .y = perp_borrowed(x)};

    return perp_result_certify(r, &c, err);
}

perp_status perp_result_certify_cycle(perp_result *r, perp_rule rule, size_t steps,
                                      const unsigned char *states, perp_error *err)
{
    const perp_certificate c = {.kind = PERP_CERTIFICATE_CYCLE,
                                .rule = rule,
                                .steps = steps,
                                .states = perp_borrowed(states)};

    return perp_result_certify(r, &c, err);
}

double perp_work_flops(const perp_work *work, const perp_operator *A)
{
    return 2.0 * (double)perp_operator_nonzeros(A) * work->products + work->flops_factor;
}

void perp_work_add(perp_work *a, const perp_work *b)
{
    a->products += b->products;
    a->factorizations += b->factorizations;
    a->flops_factor += b->flops_factor;
    a->pivots += b->pivots;
    a->projections += b->projections;
    a->rounds += b->rounds;
}
