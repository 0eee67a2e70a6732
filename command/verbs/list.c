/* SPDX-License-Identifier: Apache-2.0
 * verbs/list.c: lists of everything that has a name: solvers, options, sets, formats, …
 *
 * A list is a JSON array; its text is a table of members of the entries. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "command/cli/data.h"
#include "command/cli/help.h"
#include "command/cli/page.h"
#include "command/cli/plugin.h"
#include "command/generate/families.h"
#include "command/results/kinds/kind.h"
#include "command/results/table.h"
#include "command/simulate/catalogue.h"
#include "command/verbs/codes.h"
#include "command/verbs/list.h"
#include "command/verbs/parts.h"
#include "command/verbs/suites.h"
#include "command/verbs/verbs.h"

json_t *list_option_json(const perp_option *o)
{
    static const char *const kinds[] = {
        [PERP_OPTION_REAL] = "real",     [PERP_OPTION_INTEGER] = "integer",
        [PERP_OPTION_SWITCH] = "switch", [PERP_OPTION_CHOICE] = "choice",
        [PERP_OPTION_TEXT] = "text",     [PERP_OPTION_LIST] = "list",
    };
    char usual[64], range[256];

    help_default(o, usual, sizeof usual);
    help_range(o, range, sizeof range);
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", o->name, "kind", kinds[o->kind],
                     "default", usual, "range", range, "help", o->help);
}

static json_t *list_option_table(const perp_option *options)
{
    json_t *array = json_array();

    for (const perp_option *o = options; o && o->name; o++) {
        json_array_append_new(array, list_option_json(o));
    }
    return array;
}

static json_t *list_bits(const page_bit *rows, unsigned bits)
{
    json_t *array = json_array();

    for (; rows->name; rows++) {
        if (bits & rows->bit) {
            json_array_append_new(array, json_string(rows->name));
        }
    }
    return array;
}

json_t *list_solver_json(const perp_solver_type *s)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:s?, s:s?, s:s?, "
        "s:s?, "
        "s:o}",
        "name", s->name, "family", s->family, "summary", s->summary, "reference",
        s->reference, "sets", list_bits(page_sets, s->sets.set_bits), "laws",
        list_bits(page_laws, s->laws.law_bits), "operators",
        list_bits(page_storages, s->storages.storage_bits), "demands",
        list_bits(page_demands, s->demands.demand_bits), "certificates",
        list_bits(page_certificates, s->certificates.certificate_bits), "warm",
        (s->flags.flag_bits & PERP_FLAG_USES_START) != 0, "wrapper",
        (s->flags.flag_bits & PERP_FLAG_WRAPPER) != 0, "chain", s->chain != NULL, "inner",
        s->inner, "on_singular", s->on_singular, "algorithm", s->algorithm, "additions",
        s->additions, "options", list_option_table(s->options));
}

static json_t *list_solvers(void)
{
    json_t *array = json_array();

    for (const perp_solver_type *const *s = plugin_solvers(); *s; s++) {
        json_array_append_new(array, list_solver_json(*s));
    }
    return array;
}

static json_t *list_sets(void)
{
    static const char *const summaries[] = {
        "w = 0: joints",
        "0 <= z _|_ w >= 0: limits, the classical LCP",
        "lo <= z <= hi, either may be infinite: motors",
        "|z| <= mu z[normal], coupled: box friction",
        "|z_T| <= mu z_N, dimension 2 or 3: Coulomb friction",
        "cone with rolling moments, dimension 5",
        "|z_T| <= r, dimension 2: Tresca friction",
    };
    json_t *array = json_array();

    for (size_t k = 0; page_sets[k].name; k++) {
        json_t *solvers = json_array();

        for (const perp_solver_type *const *s = plugin_solvers(); *s; s++) {
            if ((*s)->sets.set_bits & page_sets[k].bit) {
                json_array_append_new(solvers, json_string((*s)->name));
            }
        }
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:o}", "name", page_sets[k].name,
                                        "summary", summaries[k], "solvers", solvers));
    }
    return array;
}

static json_t *list_formats(void)
{
    json_t *array = json_array();
    size_t count = 0;
    const perp_format *const *formats = perp_formats(&count);

    for (size_t k = 0; k < count; k++) {
        json_array_append_new(
            array,
            json_pack("{s:s, s:s, s:s, s:b, s:b}", "name", formats[k]->name, "summary",
                      formats[k]->summary, "extension", formats[k]->extension, "reads",
                      (int)formats[k]->reads, "writes", (int)formats[k]->writes));
    }
    return array;
}

/* What a figure of a kind shows, and the members of an order that the kind reads. */
static json_t *list_figures(void)
{
    static const char *const shows[] = {
        [FIGURE_OF_TABLE] = "set at a tolerance", [FIGURE_OF_SET] = "set",
        [FIGURE_OF_REPORT] = "all results",       [FIGURE_OF_RUN] = "simulation",
        [FIGURE_OF_PROBLEM] = "problem",
    };
    json_t *array = json_array();

    for (size_t k = 0; figure_kinds[k]; k++) {
        const figure_kind *kind = figure_kinds[k];
        json_t *members = json_array();

        for (const char *word = kind->members; word && *word;) {
            size_t length = strcspn(word, "|");

            json_array_append_new(members, json_stringn(word, length));
            word += length + (word[length] == '|');
        }
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:b, s:o}", "name",
                                               kind->name, "summary", kind->summary, "of",
                                               shows[kind->scope], "usual",
                                               (int)kind->usual, "members", members));
    }
    return array;
}

static json_t *list_families(void)
{
    json_t *array = json_array();

    for (const perp_family *const *f = perp_families(NULL); *f; f++) {
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:o}", "name", (*f)->name,
                                               "summary", (*f)->summary, "reference",
                                               (*f)->reference, "parameters",
                                               list_option_table((*f)->parameters)));
    }
    return array;
}

/* Into the object of tables, or printed where that is NULL. */
static void list_print_own_options(const perp_solver_type *s, json_t *tables)
{
    if (tables) {
        json_object_set_new(tables, s->name, list_option_table(s->options));
    } else if (s->options && s->options->name) {
        output_print(stdout, OUTPUT_STRONG, "%s\n", s->name);
        help_options(stdout, s->options, NULL);
    }
}

/* The tables of options, of all solvers or of one: not a table of members. */
static perp_status list_print_options(const cli_args *args, perp_error *err)
{
    const char *name = cli_args_value(args, "solver");
    bool json = cli_args_given(args, "json");
    const perp_solver_type *type = NULL;
    perp_options opt;
    json_t *tables = NULL;

    if (name) {
        perp_status status = plugin_parse(name, &type, &opt, err);

        if (status != PERP_OK) {
            return status;
        }
    }
    if (json) {
        tables = json_pack("{s:o}", "common", list_option_table(perp_options_common));
    } else {
        output_print(stdout, OUTPUT_STRONG, "every solver\n");
        help_options(stdout, perp_options_common, NULL);
    }
    for (const perp_solver_type *const *s = plugin_solvers(); *s; s++) {
        if (!type || *s == type || *s == opt.inner) {
            list_print_own_options(*s, tables);
        }
    }
    if (type && strcmp(type->family, "external") == 0) {
        list_print_own_options(type, tables);
    }
    return json ? output_json(stdout, tables, false, err) : PERP_OK;
}

/* A list, and how its text is made. */
typedef struct list_kind {
    const char *name;
    const char *summary;
    json_t *(*entries)(void);
    /** Columns of the tables: "member:heading|member|…". */
    const char *tables[2];
    const char *note; /**< below them; NULL: none */
    /** A further table of the text, of entries of its own; NULL: none. */
    json_t *(*more)(void);
    const char *more_table;
    /** Prints names below; NULL: none. */
    void (*names)(FILE *out);
    /** Prints the list instead; NULL: a table of entries. */
    perp_status (*print)(const cli_args *args, perp_error *err);
} list_kind;

static const list_kind list_kinds[] = {
    {.name = "solvers",
     .summary = "solvers, the problems they accept and their demands",
     .entries = list_solvers,
     .tables = {"name:solver|family|summary",
                "name:solver|sets|laws|demands:demands of A|certificates"},
     .note =
         "Other sets, laws and storages are reformulated or converted where the "
         "solution stays the same. Convergence is guaranteed only under the demands. "
         "perp info NAME prints the page of one solver. Below: solvers of other codes "
         "that were found, see perp info codes.",
     .more = codes_solvers_found,
     .more_table = "name:solver|sets|laws|demands:demands of A|summary"},
    {.name = "codes",
     .summary = "other codes that run as solvers, in processes of their own",
     .entries = codes_list,
     .tables = {"name:code|title|version|count:solvers"},
     .note = "A code is found when configure found it, or in the folder PERP_CODES. "
             "exec:COMMAND runs any program, see docs/exec.md. perp info NAME prints the "
             "page of a solver.",
     .names = codes_print_names},
    {.name = "options",
     .summary = "options of every solver, or of one (--solver NAME)",
     .print = list_print_options},
    {.name = "sets",
     .summary = "sets K of a problem and the solvers that accept them",
     .entries = list_sets,
     .tables = {"name:set|summary|solvers"}},
    {.name = "formats",
     .summary = "formats of instance files",
     .entries = list_formats,
     .tables = {"name:format|extension|reads|writes|summary"}},
    {.name = "exports",
     .summary = "formats that perp convert writes runs and scenes in",
     .entries = parts_exports,
     .tables = {"name:format|of|extension|summary"}},
    {.name = "families",
     .summary = "families of generated instances and their parameters",
     .entries = list_families,
     .tables = {"name:family|parameters|summary"}},
    {.name = "suites",
     .summary = "suites for perp compare",
     .entries = suite_list,
     .tables = {"name:suite|title:summary|file"}},
    {.name = "metrics",
     .summary =
         "measures of a solution, metrics of a simulation, numbers of compared runs",
     .entries = parts_metrics,
     .tables = {"name:metric|of|kind|unit|summary:meaning"}},
    {.name = "figures",
     .summary = "kinds of figures for perp plot and suites",
     .entries = list_figures,
     .tables = {"name:figure|of|usual|members|summary"},
     .note =
         "Usual figures are drawn without being ordered. An order is "
         "KIND:MEMBER=VALUE,... after perp plot --figure, or an object in \"figures\" "
         "of a suite. Every kind also reads set, tolerance, where, name, title and "
         "caption."},
    {.name = "scenes",
     .summary = "scenes for perp simulate",
     .entries = scene_list,
     .tables = {"name:scene|title:summary|file"}},
    {.name = "joints",
     .summary = "types of joints",
     .entries = parts_joints,
     .tables = {"name:joint|rows|axes:free axes|summary"}},
    {.name = "mobilizers",
     .summary = "joints of trees in reduced coordinates",
     .entries = parts_mobilizers,
     .tables = {"name:mobilizer|coordinates|summary"}},
    {.name = "shapes",
     .summary = "shapes of bodies",
     .entries = parts_shapes,
     .tables = {"name:shape|sizes|summary"}},
    {.name = "forces",
     .summary = "forces on bodies",
     .entries = parts_forces,
     .tables = {"name:force|parameters|summary"}},
    {.name = "integrators",
     .summary = "choices of a time step",
     .entries = parts_integrators,
     .tables = {"name|option:--option|summary"}},
    {.name = "broad",
     .summary = "algorithms of the broad phase",
     .entries = parts_broad,
     .tables = {"name|reference|summary"}},
    {.name = "narrow",
     .summary = "algorithms of the narrow phase",
     .entries = parts_narrow,
     .tables = {"name|reference|summary"}},
};
enum { LIST_KINDS = sizeof list_kinds / sizeof *list_kinds };

/* A value as a text: words as they are, "yes" and "no", a list with commas, and an option
 * with its default, "n=100"; "-" for nothing. */
static void list_print_value(const json_t *value, FILE *f)
{
    if (json_is_array(value) && json_array_size(value) > 0) {
        bool options = json_is_object(json_array_get(value, 0));

        for (size_t k = 0; k < json_array_size(value); k++) {
            fputs(k == 0 ? "" : options ? " " : ", ", f);
            list_print_value(json_array_get(value, k), f);
        }
    } else if (json_is_object(value)) {
        fprintf(f, "%s=%s", json_string_value(json_object_get(value, "name")),
                json_string_value(json_object_get(value, "default")));
    } else if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "yes" : "no", f);
    } else if (json_is_integer(value)) {
        fprintf(f, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else {
        const char *text = json_string_value(value);

        fputs(text && *text ? text : "-", f);
    }
}

static void list_member(const table_column *column, const void *row, FILE *f)
{
    list_print_value(json_object_get(row, column->key), f);
}

/* Print a table; `spec` is cut into the keys and headings of its columns. */
static void list_print_table(const json_t *entries, char *spec)
{
    enum { COLUMNS = 8 };
    table_column columns[COLUMNS + 1] = {{0}};
    table t;
    size_t count = 0;
    char *save = NULL;

    for (char *word = strtok_r(spec, "|", &save); word && count < COLUMNS;
         word = strtok_r(NULL, "|", &save)) {
        char *colon = strchr(word, ':');

        columns[count++] = (table_column){
            .key = word, .heading = colon ? colon + 1 : word, .text = list_member};
        if (colon) {
            *colon = '\0';
        }
    }
    table_start(&t, TABLE_AS_TEXT, stdout, columns);
    for (size_t k = 0; k < json_array_size(entries); k++) {
        table_row(&t, json_array_get(entries, k));
    }
    table_end(&t);
}

static void list_print_text(const list_kind *kind, const json_t *entries)
{
    for (size_t k = 0; k < 2 && kind->tables[k]; k++) {
        char spec[160];

        snprintf(spec, sizeof spec, "%s", kind->tables[k]);
        fputs(k ? "\n" : "", stdout);
        list_print_table(entries, spec);
    }
    if (kind->note) {
        putchar('\n');
        output_wrap(stdout, 0, 0, kind->note);
    }
    if (kind->names) {
        putchar('\n');
        kind->names(stdout);
    }
    if (kind->more) {
        json_t *more = kind->more();
        char spec[160];

        snprintf(spec, sizeof spec, "%s", kind->more_table);
        putchar('\n');
        list_print_table(more, spec);
        json_decref(more);
    }
}

json_t *list_entries(const char *what)
{
    for (size_t k = 0; k < LIST_KINDS; k++) {
        if (strcmp(list_kinds[k].name, what) == 0 && list_kinds[k].entries) {
            return list_kinds[k].entries();
        }
    }
    return NULL;
}

json_t *list_lists(void)
{
    json_t *array = json_array();

    for (size_t k = 0; k < LIST_KINDS; k++) {
        json_array_append_new(array, json_pack("{s:s, s:s}", "name", list_kinds[k].name,
                                               "summary", list_kinds[k].summary));
    }
    return array;
}

static const list_kind list_of_lists = {
    .name = "lists",
    .entries = list_lists,
    .tables = {"name:list|summary"},
    .note = "perp info NAME prints one of them, or describes a file, a solver, a scene, "
            "a measure or any "
            "other name.",
};

static const list_kind *list_find(const char *word)
{
    for (size_t k = 0; k < LIST_KINDS; k++) {
        if (strcmp(list_kinds[k].name, word) == 0) {
            return &list_kinds[k];
        }
    }
    return NULL;
}

bool list_detect(const char *word)
{
    return list_find(word) != NULL;
}

perp_status list_print(const cli_args *args, const char *word, perp_error *err)
{
    const list_kind *kind = word ? list_find(word) : &list_of_lists;
    json_t *entries = NULL;

    if (kind->print) {
        return kind->print(args, err);
    }
    entries = kind->entries();
    if (cli_args_given(args, "json")) {
        return output_json(stdout, entries, false, err);
    }
    list_print_text(kind, entries);
    json_decref(entries);
    return PERP_OK;
}
