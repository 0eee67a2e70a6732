/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/kinds.c: the list of the kinds of figures. */
#include <config.h>

#include <string.h>

#include "experiments/report/kinds/kind.h"

extern const figure_kind figure_kind_profile, figure_kind_pair_profile,
    figure_kind_data_profile, figure_kind_accuracy_profile;
extern const figure_kind figure_kind_share, figure_kind_convergence;
extern const figure_kind figure_kind_work_precision, figure_kind_metric, figure_kind_heat;
extern const figure_kind figure_kind_coordinates;
extern const figure_kind figure_kind_warm, figure_kind_warm_steps;

const figure_kind *const figure_kinds[] = {
    &figure_kind_profile,      &figure_kind_pair_profile,
    &figure_kind_data_profile, &figure_kind_accuracy_profile,
    &figure_kind_share,        &figure_kind_work_precision,
    &figure_kind_convergence,  &figure_kind_metric,
    &figure_kind_coordinates,  &figure_kind_warm,
    &figure_kind_warm_steps,   NULL,
};

const figure_kind *figure_kind_find(const char *name)
{
    for (size_t k = 0; figure_kinds[k]; k++) {
        if (strcmp(figure_kinds[k]->name, name) == 0) {
            return figure_kinds[k];
        }
    }
    return NULL;
}
