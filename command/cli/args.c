/* SPDX-License-Identifier: Apache-2.0
 * cli/args.c: the words after `perp VERB`, read by the table of the verb.
 *
 *     --name VALUE   --name=VALUE   -l VALUE   --switch   -- (only words follow)
 *
 * A word that starts with one dash and a digit is a number, hence a value. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/scene.h>

#include "base/base.h"
#include "command/cli/args.h"

static long args_index(const cli_verb *verb, const char *name, size_t length)
{
    for (long k = 0; verb->options[k].name; k++) {
        if (strlen(verb->options[k].name) == length &&
            strncmp(verb->options[k].name, name, length) == 0) {
            return k;
        }
    }
    return -1;
}

static long args_letter(const cli_verb *verb, char letter)
{
    for (long k = 0; verb->options[k].name; k++) {
        if (verb->options[k].letter == letter) {
            return k;
        }
    }
    return -1;
}

void cli_offer_options(perp_nearest *best, const perp_options *opt)
{
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        for (const perp_option *o = opt->tables[t]; o && o->name; o++) {
            perp_nearest_offer(best, o->name);
        }
    }
}

static void args_offer_verb(perp_nearest *best, const cli_verb *verb)
{
    for (const cli_option *o = verb->options; o->name; o++) {
        if (o->help) {
            perp_nearest_offer(best, o->name);
        }
    }
    perp_nearest_offer(best, "help");
}

/* Words of earlier versions for the law of friction. */
static bool args_was_friction(const char *typed)
{
    return strcmp(typed, "law") == 0 || strcmp(typed, "model") == 0 ||
           strcmp(typed, "formulation") == 0;
}

static bool args_is_old(const cli_args *args, const char *name, size_t length)
{
    char typed[CLI_NAME];

    snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    return args_was_friction(typed) && args_index(args->verb, "friction", 8) >= 0;
}

static perp_status args_unknown(const cli_args *args, const char *name, size_t length,
                                perp_error *err)
{
    char typed[CLI_NAME];
    perp_nearest best;

    snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    if (args_is_old(args, name, length)) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "perp %s: --%s is now --friction coulomb|associated|pyramid:N|box|none",
            args->verb->name, typed);
    }
    perp_nearest_start(&best, typed);
    best.dashes = "--";
    args_offer_verb(&best, args->verb);
    return perp_fail(err, PERP_ERR_OPTION, "perp %s: unknown option --%s, %s",
                     args->verb->name, typed, perp_nearest_advice(&best));
}

/* Words being read. */
typedef struct args_reader {
    cli_args *args;
    int argc, at;
    char **argv;
} args_reader;

bool cli_choice_next(const char **choices, char word[CLI_NAME])
{
    size_t length = strcspn(*choices, "|");

    snprintf(word, CLI_NAME, "%.*s", (int)length, *choices);
    *choices += length + ((*choices)[length] == '|');
    return length > 0;
}

/* "pyramid:8" is a "pyramid:N", and any text is a "FILE". */
static bool args_is_choice(const char *value, const char *choice)
{
    size_t stem = strlen(choice);

    if (stem > 2 && strcmp(choice + stem - 2, ":N") == 0) {
        return strncmp(value, choice, stem - 1) == 0 && value[stem - 1] &&
               strspn(value + stem - 1, "0123456789") == strlen(value + stem - 1);
    }
    return isupper((unsigned char)*choice) || strcmp(value, choice) == 0;
}

perp_status cli_args_choice(const cli_args *args, const char *name, const char *value,
                            const char *choices, perp_error *err)
{
    char word[CLI_NAME];
    perp_nearest best;

    perp_nearest_start(&best, value);
    while (cli_choice_next(&choices, word)) {
        if (args_is_choice(value, word)) {
            return PERP_OK;
        }
        perp_nearest_offer(&best, word);
    }
    return perp_fail(err, PERP_ERR_OPTION, "perp %s: option --%s is \"%s\", %s",
                     args->verb->name, name, value, perp_nearest_advice(&best));
}

static perp_status args_own(args_reader *in, long k, const char *shown,
                            const char *attached, perp_error *err)
{
    const cli_option *o = &in->args->verb->options[k];

    if (!o->value) {
        if (attached) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "perp %s: option %s takes no value, found \"%s\"",
                             in->args->verb->name, shown, attached);
        }
        in->args->value[k] = "";
        return PERP_OK;
    }
    if (!attached) {
        if (in->at + 1 >= in->argc) {
            return perp_fail(err, PERP_ERR_OPTION, "perp %s: option %s expects %s",
                             in->args->verb->name, shown, o->value);
        }
        attached = in->argv[++in->at];
    }
    if (in->args->given_count == CLI_GIVEN_ROOM) {
        return perp_fail(err, PERP_ERR_OPTION, "perp %s: too many options at %s %s",
                         in->args->verb->name, shown, attached);
    }
    if (strchr(o->value, '|')) {
        TRY(cli_args_choice(in->args, o->name, attached, o->value, err));
    }
    in->args->value[k] = attached;
    in->args->given[in->args->given_count++] = (cli_given){(size_t)k, attached};
    return PERP_OK;
}

/* An option of the solver or family: its value is the next word unless that is another
 * option; then it is a switch, turned on. */
static perp_status args_setting(args_reader *in, const char *name, size_t length,
                                const char *attached, perp_error *err)
{
    cli_args *args = in->args;
    cli_setting *s = NULL;

    if (!args->verb->settings || (length < CLI_NAME && args_is_old(args, name, length))) {
        return args_unknown(args, name, length, err);
    }
    if (args->setting_count == CLI_SETTING_ROOM || length >= CLI_NAME) {
        return perp_fail(err, PERP_ERR_OPTION, "perp %s: too many options at --%.*s",
                         args->verb->name, (int)length, name);
    }
    if (!attached) {
        bool more = in->at + 1 < in->argc && strncmp(in->argv[in->at + 1], "--", 2) != 0;

        attached = more ? in->argv[++in->at] : "on";
    }
    s = &args->setting[args->setting_count++];
    snprintf(s->name, sizeof s->name, "%.*s", (int)length, name);
    s->value = attached;
    return PERP_OK;
}

/* --help, --help all */
static perp_status args_help(args_reader *in, const char *attached, perp_error *err)
{
    const char *next = in->at + 1 < in->argc ? in->argv[in->at + 1] : "";

    in->args->help = true;
    in->args->help_all = strcmp(attached ? attached : next, "all") == 0;
    in->at += in->args->help_all && !attached;
    return !attached || in->args->help_all
               ? PERP_OK
               : cli_args_choice(in->args, "help", attached, "all", err);
}

static perp_status args_long(args_reader *in, const char *name, perp_error *err)
{
    size_t length = strcspn(name, "=");
    const char *attached = name[length] ? name + length + 1 : NULL;
    long k = args_index(in->args->verb, name, length);
    char shown[CLI_NAME];

    if (length == 4 && strncmp(name, "help", length) == 0) {
        return args_help(in, attached, err);
    }
    if (k < 0) {
        return args_setting(in, name, length, attached, err);
    }
    snprintf(shown, sizeof shown, "--%.*s", (int)length, name);
    return args_own(in, k, shown, attached, err);
}

static perp_status args_short(args_reader *in, const char *word, perp_error *err)
{
    char shown[3] = {'-', word[1], '\0'};
    long k = args_letter(in->args->verb, word[1]);

    if (word[1] == 'h' && !word[2]) {
        in->args->help = true;
        return PERP_OK;
    }
    if (k < 0) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp %s: unknown option %s, see perp %s --help",
                         in->args->verb->name, shown, in->args->verb->name);
    }
    return args_own(in, k, shown, word[2] ? word + 2 : NULL, err);
}

static perp_status args_word(args_reader *in, const char *word, perp_error *err)
{
    cli_args *args = in->args;

    if (args->word_count == args->verb->most || args->word_count == CLI_WORD_ROOM) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp %s: unexpected \"%s\", expected: perp %s %s",
                         args->verb->name, word, args->verb->name, args->verb->usage);
    }
    args->word[args->word_count++] = word;
    return PERP_OK;
}

perp_status cli_args_read(cli_args *args, const cli_verb *verb, int argc, char **argv,
                          perp_error *err)
{
    args_reader in = {args, argc, 0, argv};
    perp_status status = PERP_OK;
    bool only_words = false;

    memset(args, 0, sizeof *args);
    args->verb = verb;
    for (in.at = 0; in.at < argc && status == PERP_OK; in.at++) {
        const char *word = argv[in.at];

        if (only_words || word[0] != '-' || !word[1] || isdigit((unsigned char)word[1])) {
            status = args_word(&in, word, err);
        } else if (strcmp(word, "--") == 0) {
            only_words = true;
        } else if (word[1] == '-') {
            status = args_long(&in, word + 2, err);
        } else {
            status = args_short(&in, word, err);
        }
    }
    if (status == PERP_OK && !args->help && args->word_count < verb->least) {
        return perp_fail(err, PERP_ERR_OPTION, "perp %s: expected: perp %s %s",
                         verb->name, verb->name, verb->usage);
    }
    return status;
}

const char *cli_args_value(const cli_args *args, const char *name)
{
    long k = args_index(args->verb, name, strlen(name));

    return k < 0 ? NULL : args->value[k];
}

bool cli_args_given(const cli_args *args, const char *name)
{
    return cli_args_value(args, name) != NULL;
}

const char *cli_args_next(const cli_args *args, const char *name, size_t *at)
{
    long k = args_index(args->verb, name, strlen(name));

    while (*at < args->given_count) {
        const cli_given *one = &args->given[(*at)++];

        if (k >= 0 && one->row == (size_t)k) {
            return one->value;
        }
    }
    return NULL;
}

perp_status cli_args_refuse(const cli_args *args, const char *names, const char *why,
                            perp_error *err)
{
    while (*names) {
        size_t length = strcspn(names, "|");
        long k = args_index(args->verb, names, length);

        if (k >= 0 && args->value[k]) {
            return perp_fail(err, PERP_ERR_OPTION, "perp %s: option --%.*s %s",
                             args->verb->name, (int)length, names, why);
        }
        names += length + (names[length] == '|');
    }
    return PERP_OK;
}

perp_status cli_args_refuse_settings(const cli_args *args, perp_error *err)
{
    const char *name = args->setting_count ? args->setting[0].name : NULL;

    return name ? args_unknown(args, name, strlen(name), err) : PERP_OK;
}

perp_status cli_args_number(const cli_args *args, const char *name, double otherwise,
                            double low, double high, double *value, perp_error *err)
{
    const char *text = cli_args_value(args, name);
    char *end = NULL;

    *value = otherwise;
    if (!text) {
        return PERP_OK;
    }
    *value = strtod(text, &end);
    if (end == text || *end || !(*value >= low && *value <= high)) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "perp %s: option --%s is \"%s\", expected a number from %g to %g",
            args->verb->name, name, text, low, high);
    }
    return PERP_OK;
}

perp_status cli_args_whole(const cli_args *args, const char *name, double otherwise,
                           double low, double high, double *value, perp_error *err)
{
    perp_status status = cli_args_number(args, name, otherwise, low, high, value, err);

    if (status == PERP_OK && *value != floor(*value)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp %s: option --%s is \"%s\", expected a whole number",
                         args->verb->name, name, cli_args_value(args, name));
    }
    return status;
}

perp_status cli_args_quantity(const cli_args *args, const char *name, const char *si,
                              double otherwise, double low, double high, double *value,
                              perp_error *err)
{
    const char *text = cli_args_value(args, name);
    perp_error inner = {0};

    *value = otherwise;
    if (!text) {
        return PERP_OK;
    }
    if (perp_quantity_read(text, si, value, &inner) != PERP_OK) {
        return perp_fail(err, PERP_ERR_OPTION, "perp %s: option --%s%s", args->verb->name,
                         name, inner.text);
    }
    if (!(*value >= low && *value <= high)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp %s: option --%s is \"%s\", expected %g to %g [%s]",
                         args->verb->name, name, text, low, high, si);
    }
    return PERP_OK;
}

/* The value of an option of a solver: the limit of time may have a unit. */
static perp_status args_set_option(const cli_setting *s, perp_options *opt,
                                   perp_error *err)
{
    double seconds = 0.0;
    perp_error inner = {0};

    if (strcmp(s->name, "time-limit") != 0) {
        return perp_options_set(opt, s->name, s->value, err);
    }
    if (perp_quantity_read(s->value, "s", &seconds, &inner) != PERP_OK) {
        return perp_fail(err, PERP_ERR_OPTION, "option \"%s\"%s", s->name, inner.text);
    }
    return perp_options_set_real(opt, s->name, seconds, err);
}

perp_status cli_args_set_options(const cli_args *args, perp_options *opt,
                                 const char *solver, perp_error *err)
{
    for (size_t k = 0; k < args->setting_count; k++) {
        const cli_setting *s = &args->setting[k];

        if (!perp_options_find(opt, s->name)) {
            perp_nearest best;

            perp_nearest_start(&best, s->name);
            best.dashes = "--";
            args_offer_verb(&best, args->verb);
            cli_offer_options(&best, opt);
            return perp_fail(err, PERP_ERR_OPTION,
                             "perp %s: unknown option --%s of %s, %s", args->verb->name,
                             s->name, solver, perp_nearest_advice(&best));
        }
        if (args_set_option(s, opt, err) != PERP_OK) {
            return perp_fail_in(err, PERP_ERR_OPTION, solver);
        }
    }
    return PERP_OK;
}
