/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/kinds.c: the list of the kinds of figures. */
#include <config.h>

#include <string.h>

#include "command/results/kinds/kind.h"

/* In the order of a report and of perp info figures. */
#define FIGURE_KIND_LIST(X)                                                              \
    X(profile)                                                                           \
    X(pair_profile)                                                                      \
    X(data_profile)                                                                      \
    X(accuracy_profile)                                                                  \
    X(share)                                                                             \
    X(work_precision)                                                                    \
    X(convergence)                                                                       \
    X(metric)                                                                            \
    X(heat)                                                                              \
    X(scaling)                                                                           \
    X(coordinates)                                                                       \
    X(warm)                                                                              \
    X(warm_steps)                                                                        \
    X(order)                                                                             \
    X(box)                                                                               \
    X(pareto)                                                                            \
    X(pivots)                                                                            \
    X(rose)                                                                              \
    X(drift)                                                                             \
    X(run)                                                                               \
    X(energy)                                                                            \
    X(joints)                                                                            \
    X(pattern)                                                                           \
    X(spectrum)

#define FIGURE_KIND_DECLARE(name) extern const figure_kind figure_kind_##name;
FIGURE_KIND_LIST(FIGURE_KIND_DECLARE)

#define FIGURE_KIND_POINTER(name) &figure_kind_##name,
const figure_kind *const figure_kinds[] = {FIGURE_KIND_LIST(FIGURE_KIND_POINTER) NULL};

const figure_kind *figure_kind_find(const char *name)
{
    for (size_t k = 0; figure_kinds[k]; k++) {
        if (strcmp(figure_kinds[k]->name, name) == 0) {
            return figure_kinds[k];
        }
    }
    return NULL;
}
