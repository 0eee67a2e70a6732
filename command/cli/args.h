/* SPDX-License-Identifier: Apache-2.0
 * cli/args.h: the words after `perp VERB`, read by the table of the verb. */
#ifndef PERP_CLI_ARGS_H
#define PERP_CLI_ARGS_H

#include <perp/perp.h>

#include "base/base.h"

/** Exit statuses of the command. */
enum {
    CLI_DONE = 0,
    CLI_NOT_SOLVED = 1,
    CLI_BAD_INPUT = 2,
    CLI_INTERRUPTED = 130, /* as a shell reports a SIGINT */
};

enum {
    CLI_OPTION_ROOM = 64,
    CLI_WORD_ROOM = 1024,
    CLI_SETTING_ROOM = 64,
    CLI_GIVEN_ROOM = 256,
    CLI_NAME = 64
};

/** A row of a verb's table: parsing, help, manual page and completion read it.
 *
 *  The kind of value is a word in capital letters, "FILE", "SOLVER", "N", or the choices,
 *  "on|off", "cold|guess|FILE", "box|pyramid:N". */
typedef struct cli_option {
    const char *name;  /**< as typed after -- */
    char letter;       /**< as typed after -, or 0 */
    const char *value; /**< kind of the value; NULL: a switch */
    const char
        *help; /**< ends with the default, "[open]"; NULL: between programs, not shown */
} cli_option;

/** The next of "a|b|c", which moves on; false behind the last. */
bool cli_choice_next(const char **choices, char word[CLI_NAME]);

#define CLI_OPTION_END                                                                   \
    {                                                                                    \
        NULL, 0, NULL, NULL                                                              \
    }

typedef struct cli_args cli_args;

/** A verb: constant data and the function that does the work. */
typedef struct cli_verb {
    const char *name;
    const char *summary; /**< one line, for `perp --help` */
    const char *usage;   /**< what follows the name: "INSTANCE --solver NAME" */
    /** After the options: paragraphs that end with a newline, and are wrapped when they are
     *  printed; the first one is in the short help, too. */
    const char *more;
    const char *words; /**< kinds of the words, for completion: "SCENE|FILE" */
    const char *usual; /**< options of the short help, in this order: "solver|json" */
    const cli_option *options;
    size_t least, most; /**< words that are no options */
    bool settings;      /**< takes the options of a solver or a family as well */
    bool solver;        /**< those of a solver: listed in its help */
    bool numbers;       /**< calls BLAS, for which memory must be there */
    /** Do it; returns an exit status. A failure is in `err`, printed by the caller. */
    int (*run)(const cli_args *args, perp_error *err);
} cli_verb;

/** An option that is not the verb's own: of a solver or a family. */
typedef struct cli_setting {
    char name[CLI_NAME];
    const char *value;
} cli_setting;

/** A value of a row of the table, in the order of typing. */
typedef struct cli_given {
    size_t row;
    const char *value;
} cli_given;

/** What was typed. Borrows the strings of argv. */
struct cli_args {
    const cli_verb *verb;
    const char *value[CLI_OPTION_ROOM]; /**< by row of the table, the last one typed;
                                             NULL: not given */
    cli_given given[CLI_GIVEN_ROOM];
    size_t given_count;
    const char *word[CLI_WORD_ROOM];
    size_t word_count;
    cli_setting setting[CLI_SETTING_ROOM];
    size_t setting_count;
    bool help;     /**< --help or -h was there */
    bool help_all; /**< --help all */
};

/** Read argv[0..argc-1], the words after the verb. */
perp_status cli_args_read(cli_args *args, const cli_verb *verb, int argc, char **argv,
                          perp_error *err);

/** The value of an option of the verb's table; "" for a switch; NULL when not given. */
const char *cli_args_value(const cli_args *args, const char *name);
bool cli_args_given(const cli_args *args, const char *name);
/** Each value of an option that is typed more than once, in turn: *at is 0 at first; NULL
 *  behind the last. */
const char *cli_args_next(const cli_args *args, const char *name, size_t *at);
/** A number, or `otherwise` when not given; PERP_ERR_OPTION outside low .. high. */
perp_status cli_args_number(const cli_args *args, const char *name, double otherwise,
                            double low, double high, double *value, perp_error *err);

/** The same for a count: a number with a fraction is refused. */
perp_status cli_args_whole(const cli_args *args, const char *name, double otherwise,
                           double low, double high, double *value, perp_error *err);
/** The number for a quantity, in SI units; a number without a unit is in `si`. */
perp_status cli_args_quantity(const cli_args *args, const char *name, const char *si,
                              double otherwise, double low, double high, double *value,
                              perp_error *err);

/** PERP_ERR_OPTION for the first option of `names` ("a|b|c") that was given: "perp VERB: option --a
 *  `why`". */
perp_status cli_args_refuse(const cli_args *args, const char *names, const char *why,
                            perp_error *err);
/** The same for an option that is not in the table of the verb. */
perp_status cli_args_refuse_settings(const cli_args *args, perp_error *err);

/** PERP_ERR_OPTION with the nearest where `value` is not one of the choices: "perp VERB: option
 *  --NAME is ...". */
perp_status cli_args_choice(const cli_args *args, const char *name, const char *value,
                            const char *choices, perp_error *err);

/** Offer the name of every option of every table. */
void cli_offer_options(perp_nearest *best, const perp_options *opt);
/** Set the options of a solver from the settings; unknown names are answered with the
 *  nearest of the solver's and the verb's. */
perp_status cli_args_set_options(const cli_args *args, perp_options *opt,
                                 const char *solver, perp_error *err);

#endif
