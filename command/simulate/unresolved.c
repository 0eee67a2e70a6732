/* SPDX-License-Identifier: Apache-2.0
 * simulate/unresolved.c: pairs of shapes whose contact search did not converge, each as a
 * scene that repeats it. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include <perp/dynamics/scene.h>

#include "base/file.h"
#include "command/cli/data.h"
#include "command/simulate/unresolved.h"

static perp_status unresolved_write(const char *path, const perp_world *world,
                                    const perp_state *state, const perp_scheme *scheme,
                                    const perp_unresolved *pair, perp_error *err)
{
    perp_file_out out = {0};
    char *text = NULL;
    perp_status status = perp_unresolved_print(world, state, scheme, pair, &text, err);

    if (status == PERP_OK) {
        status = perp_file_create(&out, path, err);
    }
    if (status == PERP_OK) {
        fputs(text, out.f);
        status = perp_file_commit(&out, err);
    }
    free(text);
    return status;
}

perp_status sim_unresolved_write(const char *dir, size_t step, const perp_world *world,
                                 const perp_state *state, const perp_scheme *scheme,
                                 const perp_collide_report *report, sim_summary *s,
                                 perp_error *err)
{
    perp_status status = PERP_OK;

    s->unresolved += (double)report->unresolved_count;
    for (size_t k = 0; k < report->unresolved_count && status == PERP_OK; k++) {
        const perp_unresolved *pair = &report->unresolved[k];
        char path[DATA_PATH + 80];

        if (s->unresolved_files >= SIM_UNRESOLVED_FILES) {
            break;
        }
        if (k > 0 && pair[-1].shape_a == pair->shape_a &&
            pair[-1].shape_b == pair->shape_b) {
            continue; /* other parts of the same two shapes: the same file */
        }
        snprintf(path, sizeof path, "%s/unresolved-%zu-%zu-%zu.json", dir, step,
                 pair->shape_a, pair->shape_b);
        status = unresolved_write(path, world, state, scheme, pair, err);
        s->unresolved_files++;
    }
    return status;
}
