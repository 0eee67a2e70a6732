/* SPDX-License-Identifier: Apache-2.0
 * export/suites.c: all problems that a suite names, added to a collection. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/campaign/line.h"
#include "command/campaign/subject.h"
#include "command/cli/take.h"
#include "command/export/export.h"
#include "command/simulate/catalogue.h"
#include "command/simulate/settings.h"

/* The words that subject_scene makes of a run, as far as they say how it is stepped. */
static const cli_option suite_options[] = {
    SIM_SETTINGS_OPTIONS, {"answer", 0, NULL, NULL}, CLI_OPTION_END};
static const cli_verb suite_verb = {
    .name = "export", .options = suite_options, .settings = true, .solver = true};

/* The orders with the rules of a set for what they leave open. */
static export_orders suite_orders(const export_orders *o, const suite_rules *rules)
{
    export_orders own = *o;

    own.friction = o->friction ? o->friction : rules->friction;
    return own;
}

static perp_status suite_scene(const export_orders *o, const suite_set *set,
                               const suite_entry *entry, perp_error *err)
{
    const suite_rules *rules = &set->rules;
    const suite_run run = {.set = set,
                           .entry = entry,
                           .solver = &set->solvers[0],
                           .tolerance = rules->tolerance[0]};
    run_line *line = take(1, sizeof *line);
    cli_args *args = take(1, sizeof *args);
    perp_scene *scene = NULL;
    perp_status status = PERP_OK;

    line_start(line);
    line_add_solver(line, &run);
    line_add_text(line, "coordinates",
                  rules->coordinate_systems ? rules->coordinates[0] : entry->coordinates);
    line_add_steps(line, rules, rules->integrators ? rules->integrator[0] : NULL);
    status = cli_args_read(args, &suite_verb, (int)line->count,
                           (char **)(uintptr_t)line->word, err);
    if (status == PERP_OK) {
        status = scene_load(&scene, entry->file, entry->parameters, NULL, err);
    }
    if (status == PERP_OK) {
        status = export_scene(o, scene, args, entry->name, err);
    }
    perp_scene_free(scene);
    free(args);
    free(line);
    return status;
}

static perp_status suite_entry_export(const export_orders *o, const suite_set *set,
                                      const suite_entry *entry, perp_error *err)
{
    if (entry->type == &subject_scene) {
        return suite_scene(o, set, entry, err);
    }
    return entry->type == &subject_sequence
               ? export_sequence(o, entry->file, entry->name, err)
               : export_instance(o, entry->file, &entry->read, entry->name, err);
}

/* Does the entry stand at an earlier combination of what varies in its set, too? */
static bool suite_entry_repeats(const suite *s, size_t set, const suite_entry *entry)
{
    for (size_t i = 0; i < set; i++) {
        const suite_set *earlier = &s->sets[i];
        bool same = strcmp(earlier->name, s->sets[set].name) == 0;

        for (size_t k = 0; same && k < earlier->entry_count; k++) {
            if (strcmp(earlier->entries[k].name, entry->name) == 0) {
                return true;
            }
        }
    }
    return false;
}

perp_status export_suite(const export_orders *o, const suite *s, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t i = 0; i < s->set_count && status == PERP_OK; i++) {
        const suite_set *set = &s->sets[i];
        const export_orders own = suite_orders(o, &set->rules);

        for (size_t k = 0; k < set->entry_count && status == PERP_OK && !*o->stop; k++) {
            if (!suite_entry_repeats(s, i, &set->entries[k])) {
                status = suite_entry_export(&own, set, &set->entries[k], err);
            }
        }
    }
    return status;
}
