/* SPDX-License-Identifier: Apache-2.0
 * simulate/unresolved.c: pairs of shapes whose contact search did not converge, each as a
 * scene that repeats it. */
#include <config.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/data.h"
#include "experiments/simulate/unresolved.h"

/* The scene with the members of the scheme that decide on what is found; or NULL. */
static json_t *scene_of(const perp_world *world, const perp_state *state,
                        const perp_scheme *scheme, const perp_unresolved *pair)
{
    char *text = perp_unresolved_scene(world, state, pair);
    json_t *o = text ? json_loads(text, 0, NULL) : NULL;
    json_t *settings = json_pack("{s:f, s:f, s:b, s:s, s:i}", "dt", scheme->dt, "margin",
                                 scheme->margin, "speculative", scheme->speculative,
                                 "narrow", scheme->narrow ? scheme->narrow->name : "auto",
                                 "reduce", (int)scheme->reduce);

    free(text);
    if (!o || json_object_set_new(o, "scheme", settings) != 0) {
        json_decref(o);
        return NULL;
    }
    return o;
}

static perp_status unresolved_write(const char *path, const perp_world *world,
                                    const perp_state *state, const perp_scheme *scheme,
                                    const perp_unresolved *pair, perp_error *err)
{
    json_t *o = scene_of(world, state, scheme, pair);
    int failed = 0;

    if (!o) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a scene", path);
    }
    failed = json_dump_file(o, path, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(o);
    return failed ? perp_fail(err, PERP_ERR_WRITE, "%s: cannot be written", path)
                  : PERP_OK;
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
