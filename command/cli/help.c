/* SPDX-License-Identifier: Apache-2.0
 * cli/help.c: help made from the tables of verbs and solvers. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/solver_type.h>

#include "command/cli/help.h"
#include "command/cli/output.h"

/* The text stands in a column of its own, which a narrow terminal has no room for. */
static void help_row(FILE *out, const char *left, const char *text)
{
    enum { COLUMN = 28, NARROW_COLUMN = 10, NARROW = 60 };
    size_t column = output_width(out) < NARROW ? NARROW_COLUMN : COLUMN;
    size_t length = strlen(left);

    fprintf(out, "  %s", left);
    if (length + 4 > column) {
        fprintf(out, "\n%*s", (int)column, "");
    } else {
        fprintf(out, "%*s", (int)(column - 2 - length), "");
    }
    output_wrap(out, column, column, text);
}

/* The names of the list, separated by commas. */
static void help_default_list(const perp_option *o, char *text, size_t length)
{
    const perp_option *tables[] = {(const perp_option[]){*o, PERP_OPTION_END}};
    perp_options opt;

    perp_options_init_tables(&opt, tables, 1, NULL);
    perp_options_print(&opt, o->name, text, length);
}

void help_default(const perp_option *o, char *text, size_t length)
{
    const char *choice = o->choices ? o->choices : "";

    switch (o->kind) {
    case PERP_OPTION_SWITCH:
        snprintf(text, length, "%s", o->value != 0.0 ? "on" : "off");
        return;
    case PERP_OPTION_CHOICE:
        for (size_t k = 0; k < (size_t)o->value && strchr(choice, '|'); k++) {
            choice = strchr(choice, '|') + 1;
        }
        snprintf(text, length, "%.*s", (int)strcspn(choice, "|"), choice);
        return;
    case PERP_OPTION_TEXT:
        snprintf(text, length, "%s", choice);
        return;
    case PERP_OPTION_LIST:
        help_default_list(o, text, length);
        return;
    default:
        snprintf(text, length, "%.15g", o->value);
    }
}

void help_range(const perp_option *o, char *text, size_t length)
{
    switch (o->kind) {
    case PERP_OPTION_SWITCH:
        snprintf(text, length, "on, off");
        return;
    case PERP_OPTION_CHOICE:
    case PERP_OPTION_LIST:
        snprintf(text, length, "%s", o->choices);
        return;
    case PERP_OPTION_TEXT:
        snprintf(text, length, "text");
        return;
    default:
        snprintf(text, length, o->open ? "%g < x < %g" : "%g .. %g", o->low, o->high);
    }
}

bool help_has(const cli_verb *verb, const char *name)
{
    for (const cli_option *o = verb ? verb->options : NULL; o && o->name; o++) {
        if (strcmp(o->name, name) == 0) {
            return true;
        }
    }
    return false;
}

const char *help_kind(const perp_option *o)
{
    static const char *const kinds[] = {
        [PERP_OPTION_REAL] = "X",        [PERP_OPTION_INTEGER] = "N",
        [PERP_OPTION_SWITCH] = "on|off", [PERP_OPTION_CHOICE] = "NAME",
        [PERP_OPTION_TEXT] = "TEXT",     [PERP_OPTION_LIST] = "NAME,NAME",
    };

    return kinds[o->kind];
}

void help_options(FILE *out, const perp_option *table, const cli_verb *verb)
{
    for (const perp_option *o = table; o && o->name; o++) {
        char left[96], text[512], usual[64], range[192];

        if (help_has(verb, o->name)) {
            continue;
        }
        help_default(o, usual, sizeof usual);
        help_range(o, range, sizeof range);
        snprintf(left, sizeof left, "    --%s %s", o->name, help_kind(o));
        if (o->kind == PERP_OPTION_SWITCH || o->kind == PERP_OPTION_TEXT) {
            snprintf(text, sizeof text, "%s [%s]", o->help, usual);
        } else {
            snprintf(text, sizeof text, "%s [%s; %s]", o->help, usual, range);
        }
        help_row(out, left, text);
    }
}

const char help_residual[] =
    "max over rows and contacts of s |z - P(z - u/d)|, less an allowance for rounding, "
    "over beta: P projects onto K; d is the diagonal of A, for a contact its mean; s is "
    "sqrt(d); u is w, for Coulomb's law with mu |w_T| added to w_N. beta is the largest "
    "error at z0 = P(0), or b/s of a row as far as the row acts; the allowance is at "
    "most 1e-8 beta. It is 0 exactly at the solutions, has no unit, and does not change "
    "when rows or units are scaled, nor with b of rows that stay slack.";

void help_all(FILE *out, const cli_verb *const *verbs)
{
    output_print(out, OUTPUT_STRONG, "perp %s", perp_version());
    fputs(": linear complementarity and frictional contact, 0 <= z _|_ w >= 0\n\n"
          "usage: perp VERB [WORDS AND OPTIONS]\n\n",
          out);
    for (; *verbs; verbs++) {
        help_row(out, (*verbs)->name, (*verbs)->summary);
    }
    fputs("\nperp VERB --help describes a verb; perp --version prints the version;\n"
          "perp --completion bash|zsh|fish prints a script that completes words in a "
          "shell.\n"
          "A file may be -: standard input, or standard output where it is written.\n"
          "The residual decides what is solved: perp info residual, docs/measures.md.\n"
          "Exit status: 0 done, 1 not solved, 2 bad usage or input, 130 interrupted.\n",
          out);
}

enum { HELP_SHORT = 28 }; /* choices of more letters follow the text */

const char *help_value(const cli_option *o)
{
    return o->value && strlen(o->value) > HELP_SHORT && strchr(o->value, '|') ? "NAME"
                                                                              : o->value;
}

void help_text(const cli_option *o, char text[HELP_TEXT])
{
    const char *end = strrchr(o->help, '['), *choices = o->value;
    size_t length = end && end > o->help ? (size_t)(end - o->help) - 1 : strlen(o->help);
    char word[CLI_NAME];
    size_t used = (size_t)snprintf(text, HELP_TEXT, "%.*s", (int)length, o->help);

    if (help_value(o) == o->value) {
        snprintf(text, HELP_TEXT, "%s", o->help);
        return;
    }
    for (const char *sign = ": "; cli_choice_next(&choices, word); sign = ", ") {
        used += (size_t)snprintf(text + used, used < HELP_TEXT ? HELP_TEXT - used : 0,
                                 "%s%s", sign, word);
    }
    snprintf(text + used, used < HELP_TEXT ? HELP_TEXT - used : 0, "%s",
             o->help + length);
}

static void help_option(FILE *out, const cli_option *o)
{
    const char *value = help_value(o);
    char left[96], text[HELP_TEXT];

    if (o->help) {
        snprintf(left, sizeof left, "%c%c%s --%s%s%s", o->letter ? '-' : ' ',
                 o->letter ? o->letter : ' ', o->letter ? "," : " ", o->name,
                 value ? " " : "", value ? value : "");
        help_text(o, text);
        help_row(out, left, text);
    }
}

/* The options that most people use, or all of them. */
static void help_own_options(FILE *out, const cli_verb *verb, bool all)
{
    const char *usual = verb->usual;
    char name[CLI_NAME];

    while (!all && cli_choice_next(&usual, name)) {
        for (const cli_option *o = verb->options; o->name; o++) {
            if (strcmp(o->name, name) == 0) {
                help_option(out, o);
            }
        }
    }
    for (const cli_option *o = verb->options; all && o->name; o++) {
        help_option(out, o);
    }
    help_row(out, "-h, --help [all]", "print this text; all: with every option");
}

/* The first paragraph, or all of them. */
static void help_more(FILE *out, const char *more, bool all)
{
    while (more && *more) {
        size_t length = strcspn(more, "\n");
        char text[2048];

        snprintf(text, sizeof text, "%.*s", (int)length, more);
        fputc('\n', out);
        output_wrap(out, 0, 0, text);
        more = all && more[length] ? more + length + 1 : NULL;
    }
}

void help_verb(FILE *out, const cli_verb *verb, bool all, const perp_solver_type *type,
               const perp_solver_type *inner)
{
    fputs("usage: ", out);
    output_print(out, OUTPUT_STRONG, "perp %s", verb->name);
    fprintf(out, " %s\n\n", verb->usage);
    output_wrap(out, 0, 0, verb->summary);
    fputs("\n", out);
    help_own_options(out, verb, all);
    if (verb->solver && all) {
        output_print(out, OUTPUT_STRONG, "\nOptions of every solver [default; range]:\n");
        help_options(out, perp_options_common, verb);
    } else if (verb->solver && !type) {
        fprintf(out, "\nEvery solver has options, too, such as --tolerance: perp info "
                     "options.\n");
    }
    for (const perp_solver_type *t = type; t; t = t == type ? inner : NULL) {
        output_print(out, OUTPUT_STRONG, "\nOptions of %s", t->name);
        fprintf(out, " (%s):\n", t->summary);
        if (!t->options || !t->options->name) {
            fputs("      none\n", out);
        }
        help_options(out, t->options, verb);
        if (t == inner) {
            break;
        }
    }
    help_more(out, verb->more, all);
}
