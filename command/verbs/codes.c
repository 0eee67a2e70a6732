/* SPDX-License-Identifier: Apache-2.0
 * verbs/codes.c: lists of other codes that perp runs as solvers. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include <perp/external.h>

#include "command/cli/answer.h"
#include "command/cli/output.h"
#include "command/verbs/codes.h"
#include "command/verbs/list.h"

enum { CODES_PATH = 4096 };

/* The version of a code that is here, what is missing for one that is not. */
static void codes_state(const perp_code *code, bool found, char *text, size_t length)
{
    if (!found) {
        snprintf(text, length, "not found, it needs %s", code->package);
    } else if (!code->program) {
        snprintf(text, length, "any program");
    } else if (perp_code_version(code, text, length, NULL) != PERP_OK) {
        snprintf(text, length, "found, its version is not known");
    }
}

static json_t *codes_entry(const perp_code *code)
{
    char path[CODES_PATH] = "", state[160];
    bool found = perp_code_program(code, path, sizeof path);
    json_t *solvers = json_array();

    for (const perp_solver_type *type = code->types; type->name; type++) {
        json_array_append_new(solvers, json_string(type->name));
    }
    codes_state(code, found, state, sizeof state);
    return json_pack("{s:s, s:s, s:b, s:o, s:o, s:s?, s:I, s:o}", "name", code->name,
                     "title", code->title, "found", (int)found, "version",
                     answer_text(state), "program", answer_text(path), "package",
                     code->package, "count", (json_int_t)json_array_size(solvers),
                     "solvers", solvers);
}

json_t *codes_list(void)
{
    json_t *array = json_array();

    for (const perp_code *const *code = perp_codes(NULL); *code; code++) {
        json_array_append_new(array, codes_entry(*code));
    }
    return array;
}

json_t *codes_solvers_found(void)
{
    json_t *array = json_array();
    char path[CODES_PATH];

    for (const perp_code *const *code = perp_codes(NULL); *code; code++) {
        for (const perp_solver_type *type = (*code)->types;
             type->name && perp_code_program(*code, path, sizeof path); type++) {
            json_array_append_new(array, list_solver_json(type));
        }
    }
    return array;
}

/* The names of the solvers of a code, row by row. */
static void codes_names(const perp_code *code, FILE *out)
{
    size_t width = 0, column = 0;

    for (const perp_solver_type *t = code->types; t->name; t++) {
        size_t length = strlen(t->name) + 2;

        width = length > width ? length : width;
    }
    for (const perp_solver_type *t = code->types; t->name; t++) {
        bool last = !t[1].name || column + 2 * width > output_width(out);

        fprintf(out, "%-*s%s", last ? 0 : (int)width, t->name, last ? "\n" : "");
        column = last ? 0 : column + width;
    }
}

void codes_print_names(FILE *out)
{
    for (const perp_code *const *code = perp_codes(NULL); *code; code++) {
        fputs(code == perp_codes(NULL) ? "" : "\n", out);
        codes_names(*code, out);
    }
}
