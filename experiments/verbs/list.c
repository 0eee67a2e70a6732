/* SPDX-License-Identifier: Apache-2.0
 * verbs/list.c: what there is: solvers, options, sets, formats, families, suites, metrics. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/data.h"
#include "experiments/cli/help.h"
#include "experiments/cli/page.h"
#include "experiments/families/families.h"
#include "experiments/simulate/catalogue.h"
#include "experiments/verbs/list.h"
#include "experiments/verbs/scenes.h"
#include "experiments/verbs/verbs.h"

static const cli_option list_options[] = {
    {"solver", 's', "NAME", "options: those of this solver"},
    {"json", 0, NULL, "print JSON, one object an entry"},
    CLI_OPTION_END,
};

typedef struct list_kind {
    const char *name;
    perp_status (*text)(const cli_args *args, perp_error *err);
    json_t *(*json)(const cli_args *args, perp_error *err);
} list_kind;

#define LIST_COUNT(array) (sizeof(array) / sizeof *(array))

static json_t *list_bits_json(const page_bit *rows, unsigned bits)
{
    json_t *array = json_array();

    for (; rows->name; rows++) {
        if (bits & rows->bit) {
            json_array_append_new(array, json_string(rows->name));
        }
    }
    return array;
}

static void list_letters(output_table *t, const page_bit *rows, unsigned bits)
{
    char text[16];

    page_letters(rows, bits, text, sizeof text);
    output_cell(t, "%s", text);
}

/* "K: f free, n nonneg, …" */
static void list_legend(const char *head, const page_bit *rows)
{
    char text[200];
    int length = snprintf(text, sizeof text, "%-8s ", head);

    for (const page_bit *row = rows; row->name && length < (int)sizeof text; row++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%c %s",
                           row == rows ? "" : ", ", row->letter, row->name);
    }
    output_wrap(stdout, 9, 0, text);
}

/* What each is, by families. */
static void list_summaries(void)
{
    const char *family = "";

    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        if (strcmp(family, (*s)->family) != 0) {
            family = (*s)->family;
            output_tell(stdout, OUTPUT_STRONG, "%s\n", family);
        }
        printf("  %-16s ", (*s)->name);
        output_wrap(stdout, 19, 19, (*s)->summary);
    }
}

/* What each is; what it takes, demands and can prove, in letters, to fit 80 columns. */
static perp_status list_solvers(const cli_args *args, perp_error *err)
{
    output_table t;
    perp_status status = PERP_OK;

    (void)args;
    list_summaries();
    putchar('\n');
    output_table_start(&t, "solver|family|sets|laws|A as|A is|warm|proves");
    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        output_cell(&t, "%s", (*s)->name);
        output_cell(&t, "%s", (*s)->family);
        list_letters(&t, page_sets, (*s)->sets.set_bits);
        list_letters(&t, page_laws, (*s)->laws.law_bits);
        list_letters(&t, page_storages, (*s)->storages.storage_bits);
        list_letters(&t, page_demands, (*s)->demands.demand_bits);
        output_cell(&t, "%s",
                    (*s)->flags.flag_bits & PERP_FLAG_USES_START ? "yes" : "no");
        list_letters(&t, page_proofs, (*s)->certificates.certificate_bits);
    }
    status = output_table_end(&t, stdout, err);
    putchar('\n');
    list_legend("sets", page_sets);
    list_legend("laws", page_laws);
    list_legend("A as", page_storages);
    list_legend("A is", page_demands);
    output_wrap(stdout, 9, 0, "warm     a start near the solution saves iterations");
    list_legend("proves", page_proofs);
    output_wrap(
        stdout, 0, 0,
        "\nSets, laws and matrices that a solver does not take are reformulated or "
        "stored for it where the answer stays the same; \"A is\" says what its "
        "promise needs. perp info NAME prints the page of one.");
    return status;
}

json_t *list_option_json(const perp_option *o)
{
    static const char *const kinds[] = {
        [PERP_OPTION_REAL] = "real",     [PERP_OPTION_INTEGER] = "integer",
        [PERP_OPTION_SWITCH] = "switch", [PERP_OPTION_CHOICE] = "choice",
        [PERP_OPTION_TEXT] = "text",
    };
    char usual[64], range[256];

    help_default(o, usual, sizeof usual);
    help_range(o, range, sizeof range);
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", o->name, "kind", kinds[o->kind],
                     "default", usual, "range", range, "help", o->help);
}

static json_t *list_options_array(const perp_option *table)
{
    json_t *array = json_array();

    for (const perp_option *o = table; o && o->name; o++) {
        json_array_append_new(array, list_option_json(o));
    }
    return array;
}

json_t *list_solver_json(const perp_solver_type *s)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:s?, s:s?, s:o}",
        "name", s->name, "family", s->family, "summary", s->summary, "reference",
        s->reference, "sets", list_bits_json(page_sets, s->sets.set_bits), "laws",
        list_bits_json(page_laws, s->laws.law_bits), "operators",
        list_bits_json(page_storages, s->storages.storage_bits), "demands",
        list_bits_json(page_demands, s->demands.demand_bits), "proofs",
        list_bits_json(page_proofs, s->certificates.certificate_bits), "warm",
        (s->flags.flag_bits & PERP_FLAG_USES_START) != 0, "wrapper",
        (s->flags.flag_bits & PERP_FLAG_WRAPPER) != 0, "chain", s->chain != NULL, "inner",
        s->inner, "on_singular", s->on_singular, "options",
        list_options_array(s->options));
}

static json_t *list_solvers_json(const cli_args *args, perp_error *err)
{
    json_t *array = json_array();

    (void)args;
    (void)err;
    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        json_array_append_new(array, list_solver_json(*s));
    }
    return array;
}

static perp_status list_option_tables(const cli_args *args, perp_error *err)
{
    const char *name = cli_args_value(args, "solver");
    const perp_solver_type *type = NULL;
    perp_options opt;

    if (name && perp_solver_parse(name, &type, &opt, err) != PERP_OK) {
        return err->status;
    }
    output_tell(stdout, OUTPUT_STRONG, "every solver\n");
    help_options(stdout, perp_options_common, NULL);
    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        if ((!type || *s == type || *s == opt.inner) && (*s)->options &&
            (*s)->options->name) {
            output_tell(stdout, OUTPUT_STRONG, "%s\n", (*s)->name);
            help_options(stdout, (*s)->options, NULL);
        }
    }
    return PERP_OK;
}

static json_t *list_options_json(const cli_args *args, perp_error *err)
{
    const char *name = cli_args_value(args, "solver");
    const perp_solver_type *type = NULL;
    perp_options opt;
    json_t *o = NULL;

    if (name && perp_solver_parse(name, &type, &opt, err) != PERP_OK) {
        return NULL;
    }
    o = json_pack("{s:o}", "common", list_options_array(perp_options_common));
    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        if (!type || *s == type || *s == opt.inner) {
            json_object_set_new(o, (*s)->name, list_options_array((*s)->options));
        }
    }
    return o;
}

static const char *const set_means[] = {
    "w = 0: joints",
    "0 <= z _|_ w >= 0: limits, the classical LCP",
    "lo <= z <= hi, either may be infinite: motors",
    "|z| <= mu z[normal], coupled: box friction",
    "|z_T| <= mu z_N, dimension 2 or 3: Coulomb friction",
    "cone with rolling moments, dimension 5",
    "|z_T| <= r, dimension 2: Tresca friction",
};

static perp_status list_sets(const cli_args *args, perp_error *err)
{
    output_table t;

    (void)args;
    output_table_start(&t, "set|what it is|solvers that take it as it is");
    for (size_t k = 0; page_sets[k].name; k++) {
        char names[256] = "";
        size_t length = 0;

        for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
            if (((*s)->sets.set_bits & page_sets[k].bit) && length < sizeof names) {
                length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                           length ? ", " : "", (*s)->name);
            }
        }
        output_cell(&t, "%s", page_sets[k].name);
        output_cell(&t, "%s", set_means[k]);
        output_cell(&t, "%s", length ? names : "-");
    }
    return output_table_end(&t, stdout, err);
}

static json_t *list_sets_json(const cli_args *args, perp_error *err)
{
    json_t *array = json_array();

    (void)args;
    (void)err;
    for (size_t k = 0; page_sets[k].name; k++) {
        json_array_append_new(array, json_pack("{s:s, s:s}", "name", page_sets[k].name,
                                               "summary", set_means[k]));
    }
    return array;
}

static perp_status list_formats(const cli_args *args, perp_error *err)
{
    output_table t;
    size_t count = 0;
    const perp_format *const *formats = perp_formats(&count);

    (void)args;
    output_table_start(&t, "format|extension|writes|what it is");
    for (size_t k = 0; k < count; k++) {
        output_cell(&t, "%s", formats[k]->name);
        output_cell(&t, "%s", formats[k]->extension[0] ? formats[k]->extension : "-");
        output_cell(&t, "%s", formats[k]->writes ? "yes" : "no");
        output_cell(&t, "%s", formats[k]->summary);
    }
    return output_table_end(&t, stdout, err);
}

static json_t *list_formats_json(const cli_args *args, perp_error *err)
{
    json_t *array = json_array();
    size_t count = 0;
    const perp_format *const *formats = perp_formats(&count);

    (void)args;
    (void)err;
    for (size_t k = 0; k < count; k++) {
        json_array_append_new(
            array, json_pack("{s:s, s:s, s:s, s:b}", "name", formats[k]->name, "summary",
                             formats[k]->summary, "extension", formats[k]->extension,
                             "writes", (int)formats[k]->writes));
    }
    return array;
}

/* "n=100 seed=1": the parameters of a family with their defaults. */
static void list_parameters(const perp_family *family, char *text, size_t room)
{
    size_t length = 0;

    text[0] = '\0';
    for (const perp_option *o = family->parameters; o->name && length < room; o++) {
        char usual[64];

        help_default(o, usual, sizeof usual);
        length += (size_t)snprintf(text + length, room - length, "%s%s=%s",
                                   length ? " " : "", o->name, usual);
    }
}

static perp_status list_families(const cli_args *args, perp_error *err)
{
    output_table t;

    (void)args;
    output_table_start(&t, "family|parameters|what it is");
    for (const perp_family *const *f = perp_families(NULL); *f; f++) {
        char text[256];

        list_parameters(*f, text, sizeof text);
        output_cell(&t, "%s", (*f)->name);
        output_cell(&t, "%s", text[0] ? text : "-");
        output_cell(&t, "%s", (*f)->summary);
    }
    return output_table_end(&t, stdout, err);
}

static json_t *list_families_json(const cli_args *args, perp_error *err)
{
    json_t *array = json_array();

    (void)args;
    (void)err;
    for (const perp_family *const *f = perp_families(NULL); *f; f++) {
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:o}", "name", (*f)->name,
                                               "summary", (*f)->summary, "reference",
                                               (*f)->reference, "parameters",
                                               list_options_array((*f)->parameters)));
    }
    return array;
}

static json_t *suite_title(const char *file)
{
    json_t *suite = json_load_file(file, 0, NULL);
    const char *title = json_string_value(json_object_get(suite, "title"));
    json_t *text = json_string(title ? title : "");

    json_decref(suite);
    return text;
}

/* The suites of every data folder, as {"name", "title", "file"}. */
static json_t *list_suites_json(const cli_args *args, perp_error *err)
{
    (void)args;
    (void)err;
    return data_list("suites", suite_title);
}

static json_t *list_scenes_json(const cli_args *args, perp_error *err)
{
    (void)args;
    (void)err;
    return scene_list();
}

/* A table of names, titles and files; takes the reference. */
static perp_status list_titles(const char *headers, json_t *array, perp_error *err)
{
    static const char *const keys[] = {"name", "title", "file"};
    output_table t;

    output_table_start(&t, headers);
    for (size_t k = 0; k < 3 * json_array_size(array); k++) {
        const json_t *o = json_array_get(array, k / 3);

        output_cell(&t, "%s", json_string_value(json_object_get(o, keys[k % 3])));
    }
    json_decref(array);
    return output_table_end(&t, stdout, err);
}

static perp_status list_suites(const cli_args *args, perp_error *err)
{
    return list_titles("suite|what it is|file", list_suites_json(args, err), err);
}

static perp_status list_scenes(const cli_args *args, perp_error *err)
{
    return list_titles("scene|what it is|file", list_scenes_json(args, err), err);
}

static const list_kind list_kinds[] = {
    {"solvers", list_solvers, list_solvers_json},
    {"options", list_option_tables, list_options_json},
    {"sets", list_sets, list_sets_json},
    {"formats", list_formats, list_formats_json},
    {"families", list_families, list_families_json},
    {"suites", list_suites, list_suites_json},
    {"metrics", scene_list_metrics, scene_list_metrics_json},
    {"scenes", list_scenes, list_scenes_json},
    {"joints", scene_list_joints, scene_list_joints_json},
    {"mobilizers", scene_list_mobilizers, scene_list_mobilizers_json},
    {"shapes", scene_list_shapes, scene_list_shapes_json},
    {"forces", scene_list_forces, scene_list_forces_json},
    {"integrators", scene_list_integrators, scene_list_integrators_json},
    {"broad", scene_list_broad, scene_list_broad_json},
    {"narrow", scene_list_narrow, scene_list_narrow_json},
};

#define LIST_KINDS                                                                       \
    "solvers|options|sets|formats|families|suites|metrics|scenes|joints|mobilizers|"     \
    "shapes|forces|integrators|broad|narrow"

static int list_run(const cli_args *args, perp_error *err)
{
    const char *what = args->word[0];

    if (verb_one_of(args, "list", what, LIST_KINDS, err) != PERP_OK) {
        return CLI_BAD_INPUT;
    }
    for (size_t k = 0; k < LIST_COUNT(list_kinds); k++) {
        if (strcmp(list_kinds[k].name, what) == 0) {
            perp_status status = PERP_OK;

            if (cli_args_given(args, "json")) {
                json_t *json = list_kinds[k].json(args, err);

                status = err->status == PERP_OK ? output_json(stdout, json, false, err)
                                                : err->status;
            } else {
                status = list_kinds[k].text(args, err);
            }
            return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
        }
    }
    return CLI_BAD_INPUT;
}

const cli_verb verb_list = {
    .name = "list",
    .summary = "what there is: solvers, options, suites, scenes, metrics and more",
    .usage = "WHAT [--json]",
    .more =
        "WHAT is solvers, options, sets, formats, families, suites, metrics, scenes,\n"
        "joints, mobilizers, shapes, forces, integrators, broad or narrow.\n",
    .options = list_options,
    .least = 1,
    .most = 1,
    .run = list_run,
};
