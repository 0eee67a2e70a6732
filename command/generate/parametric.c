/* SPDX-License-Identifier: Apache-2.0
 * families/parametric.c: a problem in time: b(t) = b + t db along a drawn direction, so that
 * any instance, generated or real, becomes a sequence. */
#include <config.h>

#include "build.h"
#include "command/cli/take.h"

const perp_option perp_sequence_parameters[] = {
    PERP_INTEGER("steps", 20, 1, 1e6, "of the sequence"),
    PERP_TEXT("grow", "", "parameter that grows with each step; none: b drifts"),
    PERP_REAL_CLOSED("change", 0.1, 0.0, 1e6, "of b from first to last, over max |b|"),
    PERP_INTEGER("direction", 1, 0, 9e15, "seed of the direction of the change"),
    PERP_OPTION_END,
};

void family_keys_by_place(perp_sequence_item *step)
{
    size_t count = step->problem->set->count;

    step->keys = take(count + 1, sizeof *step->keys);
    for (size_t k = 0; k < count; k++) {
        step->keys[k] = k + 1;
    }
}

/* A point that came with the problem belongs to its b only. */
static void drop_points(perp_problem *p)
{
    for (size_t i = 0; i <= p->guess_count; i++) {
        perp_point *point = i < p->guess_count ? &p->guesses[i] : p->solution;

        if (point) {
            free(point->z);
            free(point->w);
            free(point->v);
        }
    }
    free(p->guesses);
    free(p->solution);
    p->guesses = NULL;
    p->solution = NULL;
    p->guess_count = 0;
}

perp_status perp_parametric_sequence(const perp_problem *p, const perp_options *opt,
                                     perp_sequence *s, perp_error *err)
{
    size_t steps = (size_t)perp_options_integer(opt, "steps");
    perp_random g = {(uint64_t)perp_options_integer(opt, "direction")};
    double *db = take_reals(p->n);
    double largest = 0.0;
    perp_status status = PERP_OK;

    for (size_t i = 0; i < p->n; i++) {
        largest = fmax(largest, fabs(p->b[i]));
    }
    for (size_t i = 0; i < p->n; i++) {
        db[i] = perp_options_real(opt, "change") * largest *
                perp_random_uniform(&g, -1.0, 1.0);
    }
    for (size_t k = 0; k < steps && status == PERP_OK; k++) {
        perp_sequence_item step = {.t = steps > 1 ? (double)k / (double)(steps - 1) : 0.0,
                                   .h = 1.0 / (double)steps};

        status = perp_problem_copy(&step.problem, p, err);
        if (status == PERP_OK) {
            drop_points(step.problem);
            for (size_t i = 0; i < p->n; i++) {
                step.problem->b[i] += step.t * db[i];
            }
            family_keys_by_place(&step);
        }
        if (status == PERP_OK) {
            status = perp_sequence_add(s, &step, err);
        }
        perp_sequence_item_clear(&step);
    }
    free(db);
    return status;
}
