/* SPDX-License-Identifier: Apache-2.0
 * exact/exact.c: which proof suits a problem; each runs behind the fence. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <perp/judge.h>

#include "interop/exact/exact.h"
#include "interop/exact/fence.h"

const char *exact_verdict_name(exact_verdict verdict)
{
    switch (verdict) {
#define EXACT_CASE(name, text)                                                           \
    case name:                                                                           \
        return text;
        EXACT_VERDICT_LIST(EXACT_CASE)
#undef EXACT_CASE
    }
    return NULL;
}

void exact_proof_clear(exact_proof *proof)
{
    free(proof->distance);
    *proof = (exact_proof){0};
}

/* An answer solved to 1e-8 is nearer to its solution unless A is nearly singular. */
static const double exact_near = 1e-3;

/* beta of the residual at z0 = P(0), what acts; 0 without memory. */
static double exact_load(const perp_problem *p)
{
    perp_judge *judge = NULL;
    double load =
        perp_judge_new(&judge, p, NULL) == PERP_OK ? perp_judge_beta(judge) : 0.0;

    perp_judge_free(judge);
    return load;
}

/* Products with s may leave the range of doubles, their logarithms do not. */
double exact_near_size(const perp_problem *p, const double *s, const double *z)
{
    double size = log2(exact_load(p));

    for (size_t i = 0; i < p->n; i++) {
        size = fmax(size, log2(s[i]) + log2(fabs(z[i])));
    }
    return log2(exact_near) + size;
}

bool exact_is_near(const perp_problem *p, const double *s, const double *z,
                   const double *distance)
{
    double far = -INFINITY;

    for (size_t i = 0; i < p->n; i++) {
        far = fmax(far, log2(s[i]) + log2(distance[i]));
    }
    return far <= exact_near_size(p, s, z) && far < INFINITY;
}

/* The arguments of a proof, for the fence. */
typedef struct exact_call {
    const perp_problem *p;
    const double *point; /* z or y */
    double seconds;
    double *radius;
    exact_proof *proof;
} exact_call;

static perp_status exact_prove(void *context, perp_error *err)
{
    const unsigned scalar = PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_BOX;
    const exact_call *c = context;

    return (perp_set_kinds(c->p->set) & ~scalar) == 0
               ? exact_rational(c->p, c->point, c->seconds, c->proof, err)
               : exact_krawczyk(c->p, c->point, c->seconds, c->proof, err);
}

static perp_status exact_refute(void *context, perp_error *err)
{
    const exact_call *c = context;

    return exact_infeasible(c->p, c->point, c->radius, c->proof, err);
}

static perp_status exact_run(perp_status (*work)(void *, perp_error *), exact_call *c,
                             perp_error *err)
{
    perp_status status = PERP_OK;

    *c->proof = (exact_proof){0};
    status = exact_fenced(work, c, err);
    if (status != PERP_OK) {
        exact_proof_clear(c->proof);
    }
    return status;
}

perp_status exact_solution(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err)
{
    exact_call call = {.p = p, .point = z, .seconds = seconds, .proof = proof};

    return exact_run(exact_prove, &call, err);
}

perp_status exact_denial(const perp_problem *p, const double *y, double *radius,
                         exact_proof *proof, perp_error *err)
{
    exact_call call = {.p = p, .point = y, .radius = radius, .proof = proof};

    return exact_run(exact_refute, &call, err);
}
