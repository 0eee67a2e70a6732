/* SPDX-License-Identifier: Apache-2.0
 * runner/blocks.c: the residual of a point, contact by contact. */
#include <config.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "command/campaign/blocks.h"
#include "command/cli/answer.h"
#include "command/cli/take.h"

enum { BLOCKS_WORST = 5 };

/* The places of the largest of `count` numbers, largest first; how many there are. */
static size_t blocks_rank(const double *e, size_t count, size_t worst[BLOCKS_WORST])
{
    size_t found = 0;

    for (size_t k = 0; k < count; k++) {
        size_t at = found;

        if (!(e[k] > 0.0)) {
            continue;
        }
        while (at > 0 && e[k] > e[worst[at - 1]]) {
            at--;
        }
        if (at == BLOCKS_WORST) {
            continue;
        }
        found += found < BLOCKS_WORST;
        for (size_t j = found - 1; j > at; j--) {
            worst[j] = worst[j - 1];
        }
        worst[at] = k;
    }
    return found;
}

static json_t *blocks_one(const perp_problem *p, size_t k, double residual)
{
    const perp_label *label =
        p->labels && k < p->labels->count ? &p->labels->at[k] : NULL;
    json_t *o = json_object();

    answer_add(o, "block", json_integer((json_int_t)k));
    answer_add(o, "row", json_integer((json_int_t)p->set->blocks[k].first));
    answer_add(o, "name", answer_text(label ? label->name : NULL));
    answer_add(o, "residual", answer_real(residual));
    return o;
}

/* Sorts e. */
static json_t *blocks_quantiles(double *e, size_t count)
{
    json_t *list = json_array();

    gsl_sort(e, 1, count);
    for (size_t k = 0; k < 5; k++) {
        double x =
            k == 4 ? e[count - 1]
                   : gsl_stats_quantile_from_sorted_data(e, 1, count, 0.25 * (double)k);

        json_array_append_new(list, answer_real(x));
    }
    return list;
}

json_t *blocks_json(const perp_problem *p, const double *z)
{
    size_t count = p->set->count, worst[BLOCKS_WORST], found = 0;
    double *e = count ? take_reals(count) : NULL;
    json_t *o = NULL, *list = NULL;

    if (!e) {
        return count ? NULL : json_null();
    }
    if (perp_residual_blocks(p, z, NULL, e, NULL, NULL, NULL) != PERP_OK) {
        free(e);
        return NULL;
    }
    o = json_object();
    list = json_array();
    found = blocks_rank(e, count, worst);
    for (size_t k = 0; k < found; k++) {
        json_array_append_new(list, blocks_one(p, worst[k], e[worst[k]]));
    }
    answer_add(o, "quantiles", blocks_quantiles(e, count));
    answer_add(o, "worst", list);
    free(e);
    return o;
}
