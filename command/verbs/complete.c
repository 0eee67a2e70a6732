/* SPDX-License-Identifier: Apache-2.0
 * verbs/complete.c: words that may stand at the end of a command line: verbs, options of a
 * verb and of its solver, and their values. */
#include <config.h>

#include <string.h>

#include "command/cli/completion.h"
#include "command/cli/help.h"
#include "command/cli/plugin.h"
#include "command/generate/families.h"
#include "command/verbs/complete.h"
#include "command/verbs/verbs.h"

void complete_offer(const complete_at *at, const char *name, const char *about)
{
    if (strncmp(name, at->word, strlen(at->word)) == 0) {
        fprintf(at->out, "%.*s%s\t%.*s\n", at->before_length, at->before, name,
                about ? (int)strcspn(about, "\t\n") : 0, about ? about : "");
    }
}

void complete_offer_list(const complete_at *at, const char *words)
{
    while (*words) {
        size_t length = strcspn(words, "|, ");
        char name[CLI_NAME];

        if (length > 0 && length < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)length, words);
            complete_offer(at, name, NULL);
        }
        words += length + (words[length] != '\0');
    }
}

/* The option of the verb that a word is: "--law", "-s", "--law=coulomb"; NULL: none. */
static const cli_option *complete_own(const cli_verb *verb, const char *word)
{
    size_t length = word[0] == '-' && word[1] == '-' ? strcspn(word + 2, "=") : 0;

    for (const cli_option *o = verb->options; o->name; o++) {
        if (length > 0
                ? strlen(o->name) == length && strncmp(o->name, word + 2, length) == 0
                : word[0] == '-' && o->letter && word[1] == o->letter && !word[2]) {
            return o;
        }
    }
    return NULL;
}

/* Load the plugins that the words before name; one that cannot be loaded has no solvers. */
static void complete_plugins(const complete_at *at)
{
    for (int k = 0; k + 1 < at->argc; k++) {
        if (strcmp(at->argv[k], "--plugin") == 0) {
            plugin_load(at->argv[k + 1], NULL);
        }
    }
}

/* The solver that the words before name; NULL: none. *inner: that of a wrapper. */
static const perp_solver_type *complete_solver(const complete_at *at,
                                               const perp_solver_type **inner)
{
    const perp_solver_type *type = NULL;
    perp_options opt;

    *inner = NULL;
    for (int k = 0; k < at->argc; k++) {
        const cli_option *o = complete_own(at->verb, at->argv[k]);
        const char *value = strchr(at->argv[k], '=');

        if (!o || strcmp(o->name, "solver") != 0) {
            continue;
        }
        value = value ? value + 1 : k + 1 < at->argc ? at->argv[k + 1] : "";
        opt.inner = NULL;
        if (plugin_parse(value, &type, &opt, NULL) == PERP_OK) {
            *inner = opt.inner;
        } else {
            type = NULL;
        }
    }
    return type;
}

/* The family of `perp generate`: its first word that is no option. */
static const perp_family *complete_family(const complete_at *at)
{
    for (int k = 0; k < at->argc; k++) {
        const perp_family *family = perp_family_find(at->argv[k]);

        if (family) {
            return family;
        }
    }
    return NULL;
}

enum { TABLES = 4 };

/* Tables of options that the verb takes beside its own, ended by NULL. */
static void complete_tables(const complete_at *at, const perp_option *tables[TABLES])
{
    size_t count = 0;

    if (at->verb->settings && at->verb->solver) {
        const perp_solver_type *inner = NULL, *type = complete_solver(at, &inner);

        tables[count++] = perp_options_common;
        if (type && type->options) {
            tables[count++] = type->options;
        }
        if (inner && inner != type && inner->options) {
            tables[count++] = inner->options;
        }
    } else if (at->verb->settings) {
        const perp_family *family = complete_family(at);

        if (family) {
            tables[count++] = family->parameters;
        }
    }
    tables[count] = NULL;
}

/* The option of a solver or a family that a word is; NULL: none. */
static const perp_option *complete_setting(const complete_at *at, const char *word)
{
    const perp_option *tables[TABLES];
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;

    complete_tables(at, tables);
    for (size_t t = 0; length > 0 && tables[t]; t++) {
        for (const perp_option *o = tables[t]; o->name; o++) {
            if (strlen(o->name) == length && strncmp(o->name, word + 2, length) == 0) {
                return o;
            }
        }
    }
    return NULL;
}

/* The kind of value of an option of a solver, as in the table of a verb. */
static void complete_setting_value(const complete_at *at, const perp_option *o)
{
    if (o->kind == PERP_OPTION_SWITCH) {
        complete_offer_list(at, "on|off");
    } else if (o->kind == PERP_OPTION_CHOICE || o->kind == PERP_OPTION_LIST) {
        complete_offer_list(at, o->choices);
    } else if (o->kind == PERP_OPTION_TEXT && strcmp(o->name, "friction") == 0) {
        complete_value(at, VERB_FRICTION);
    }
}

/* The values of the option `word`; false: it is not known, or takes none. */
static bool complete_values(const complete_at *at, const char *word)
{
    const cli_option *own = complete_own(at->verb, word);
    const perp_option *setting = own ? NULL : complete_setting(at, word);

    if (own && own->value) {
        complete_value(at, own->value);
    } else if (setting) {
        complete_setting_value(at, setting);
    }
    return (own && own->value) || setting;
}

static void complete_options(const complete_at *at)
{
    const perp_option *tables[TABLES];
    char name[CLI_NAME + 2];

    for (const cli_option *o = at->verb->options; o->name; o++) {
        if (o->help) {
            snprintf(name, sizeof name, "--%s", o->name);
            complete_offer(at, name, o->help);
        }
    }
    complete_offer(at, "--help", "print a summary of the options");
    complete_tables(at, tables);
    for (size_t t = 0; tables[t]; t++) {
        for (const perp_option *o = tables[t]; o->name; o++) {
            if (!help_has(at->verb, o->name)) {
                snprintf(name, sizeof name, "--%s", o->name);
                complete_offer(at, name, o->help);
            }
        }
    }
}

/* The first word: a verb. */
static void complete_verb(const complete_at *at)
{
    for (size_t k = 0; verbs[k]; k++) {
        complete_offer(at, verbs[k]->name, verbs[k]->summary);
    }
    complete_offer(at, "help", "describe a verb");
    if (at->word[0] == '-') {
        complete_offer(at, "--help", "list the verbs");
        complete_offer(at, "--version", "print the version");
        complete_offer(at, "--completion", "print a script of completion for a shell");
    }
}

/* What follows a verb: the value of an option, an option, or a word. */
static void complete_behind(complete_at *at)
{
    const char *last = at->argc > 0 ? at->argv[at->argc - 1] : "";
    const char *equal = strncmp(at->word, "--", 2) == 0 ? strchr(at->word, '=') : NULL;

    if (equal) {
        const char *option = at->word;

        at->before = option;
        at->before_length = (int)(equal - option) + 1;
        at->word = equal + 1;
        complete_values(at, option);
    } else if (last[0] == '-' && !strchr(last, '=') && complete_values(at, last)) {
        return;
    } else if (at->word[0] == '-') {
        complete_options(at);
    } else {
        complete_value(at, at->verb->words);
    }
}

void complete_words(FILE *out, int argc, char **argv)
{
    complete_at at = {.out = out,
                      .word = argc > 0 ? argv[argc - 1] : "",
                      .before = "",
                      .verb = argc > 1 ? verb_find(argv[0]) : NULL,
                      .argc = argc > 2 ? argc - 2 : 0,
                      .argv = argv + 1};

    if (argc <= 1 || (argc == 2 && strcmp(argv[0], "help") == 0)) {
        complete_verb(&at);
    } else if (argc == 2 && strcmp(argv[0], "--completion") == 0) {
        complete_offer_list(&at, COMPLETION_SHELLS);
    } else if (at.verb) {
        complete_plugins(&at);
        complete_behind(&at);
    }
}
