/* SPDX-License-Identifier: Apache-2.0
 * perp/options.h: options of a solve: a plain value that may be copied, checked against
 * tables.
 *
 * Each solver has a table of its own options; perp_options_common holds those of the
 * loop. The command line, the help, the checks and the manual are made from these
 * tables. */
#ifndef PERP_OPTIONS_H
#define PERP_OPTIONS_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** What the value of an option is. */
typedef enum perp_option_kind {
    PERP_OPTION_NONE, /* ends a table */
    PERP_OPTION_REAL,
    PERP_OPTION_INTEGER,
    PERP_OPTION_SWITCH, /* on, off */
    PERP_OPTION_CHOICE, /* one of a list */
    PERP_OPTION_TEXT,   /* short text, checked by the code that uses it */
    PERP_OPTION_LIST,   /* some of a list, separated by commas */
} perp_option_kind;

/** A row of a table. */
typedef struct perp_option {
    const char *name; /**< kebab-case, as typed after -- */
    perp_option_kind kind;
    double value;        /**< default of REAL, INTEGER, SWITCH; index of CHOICE, bits
                          *   of LIST */
    double low, high;    /**< REAL, INTEGER: allowed range, ends included unless open */
    bool open;           /**< REAL: the ends are excluded */
    const char *choices; /**< CHOICE, LIST: "first|second|third"; TEXT: the default */
    const char *help;    /**< one line */
} perp_option;

/** Entries of a table of options, by the kind of the value; the last one ends it. */
#define PERP_REAL_OPEN(name, value, low, high, help) /* low < x < high */                \
    {                                                                                    \
        name, PERP_OPTION_REAL, value, low, high, true, NULL, help                       \
    }
#define PERP_REAL_CLOSED(name, value, low, high, help) /* low <= x <= high */            \
    {                                                                                    \
        name, PERP_OPTION_REAL, value, low, high, false, NULL, help                      \
    }
#define PERP_INTEGER(name, value, low, high, help)                                       \
    {                                                                                    \
        name, PERP_OPTION_INTEGER, value, low, high, false, NULL, help                   \
    }
#define PERP_SWITCH(name, value, help)                                                   \
    {                                                                                    \
        name, PERP_OPTION_SWITCH, value, 0, 1, false, NULL, help                         \
    }
#define PERP_CHOICE(name, index, choices, help)                                          \
    {                                                                                    \
        name, PERP_OPTION_CHOICE, index, 0, 0, false, choices, help                      \
    }
#define PERP_TEXT(name, text, help)                                                      \
    {                                                                                    \
        name, PERP_OPTION_TEXT, 0, 0, 0, false, text, help                               \
    }
#define PERP_LIST(name, bits, choices, help) /* bit k: the k-th choice */                \
    {                                                                                    \
        name, PERP_OPTION_LIST, bits, 0, 0, false, choices, help                         \
    }
#define PERP_OPTION_END                                                                  \
    {                                                                                    \
        NULL, PERP_OPTION_NONE, 0, 0, 0, false, NULL, NULL                               \
    }

/** Options that every solver has: tolerance, max-iterations, time-limit, ... */
extern const perp_option perp_options_common[];

enum { PERP_OPTION_ROOM = 64, PERP_OPTION_TEXT_LENGTH = 48, PERP_OPTION_TABLES = 3 };
/** Bytes of the command of "exec:COMMAND", and of the full name of any solver, as printed. */
enum { PERP_COMMAND_LENGTH = 256, PERP_SOLVER_NAME_LENGTH = 640 };

/** A value of an option. */
typedef struct perp_value {
    double number; /**< REAL, INTEGER, SWITCH, index of CHOICE, bits of LIST */
    char text[PERP_OPTION_TEXT_LENGTH];
    bool given; /**< set by the caller; false: the default */
} perp_value;

struct perp_solver_type;
struct perp_solver_registry;

/** Called at each judgement of a running solver, between two of its iterations:
 *  iterations so far, the residual of the point they led to, seconds on the solver's
 *  clock. Returning false ends the solve with PERP_INTERRUPTED. A solver that is judged
 *  only at its end calls it only where the option "check-every" is set. A chain restarts
 *  the three numbers with each of its solvers. */
typedef bool (*perp_progress_fn)(void *context, size_t iteration, double residual,
                                 double seconds);

/** Values for the common table, a solver's own, and (for a wrapper) that of its inner
 *  solver. */
typedef struct perp_options {
    /** Common, own, inner; unused: NULL. */
    const perp_option *tables[PERP_OPTION_TABLES];
    const struct perp_solver_type *solver; /**< the solver they are for, or NULL */
    const struct perp_solver_type *inner;  /**< the inner solver of a wrapper, or NULL */
    /** Where solvers are found by name, borrowed; NULL: the built-in ones. */
    const struct perp_solver_registry *registry;
    char command[PERP_COMMAND_LENGTH]; /**< of "exec:COMMAND", else "" */
    perp_value values[PERP_OPTION_ROOM];

    /* Set by the caller, after the options were initialised. */
    const volatile int *interrupt; /**< not 0: stop with PERP_INTERRUPTED; may be NULL */
    perp_progress_fn progress;     /**< may be NULL */
    void *progress_context;        /**< passed to `progress` */
    bool brief; /**< measure the residual alone: the other measures cost some sweeps */
} perp_options;

/** Defaults for a solver; `inner` is the inner solver of a wrapper, or NULL. PERP_ERR_OPTION:
 *  the options of both and the common ones are more than PERP_OPTION_ROOM; opt is then zeroed. */
perp_status perp_options_init(perp_options *opt, const struct perp_solver_type *type,
                              const struct perp_solver_type *inner, perp_error *err);
/** Defaults for at most PERP_OPTION_TABLES tables that belong to no solver; a NULL among them is
 *  an empty table. PERP_ERR_OPTION: more tables, or more options than PERP_OPTION_ROOM. */
perp_status perp_options_init_tables(perp_options *opt, const perp_option *const *tables,
                                     size_t count, perp_error *err);

/* Set an option. PERP_ERR_OPTION says what was found and what was expected: the name
 * is not in the tables, the option is of another kind, or the value is out of range. */

/** From the text as it would be typed; for every kind. */
perp_status perp_options_set(perp_options *opt, const char *name, const char *text,
                             perp_error *err);
/** A REAL, or an INTEGER when `value` is whole. */
perp_status perp_options_set_real(perp_options *opt, const char *name, double value,
                                  perp_error *err);
/** Several at once: "relaxation=0.7,tolerance=1e-6"; commas or blanks separate them. Names
 *  after a comma belong to the LIST before them. The options before the one that fails are
 *  set. */
perp_status perp_options_parse(perp_options *opt, const char *text, perp_error *err);

/** The option called `name` in any of the tables, or NULL. */
const perp_option *perp_options_find(const perp_options *opt, const char *name);
/** Was it set by the caller? False for an unknown name. */
bool perp_options_given(const perp_options *opt, const char *name);
/** Value as text, as it would be typed, "" for an unknown name; at most `length` bytes
 *  with the end. */
void perp_options_print(const perp_options *opt, const char *name, char *text,
                        size_t length);

/* Values. For a name that is in none of the tables: NaN, 0, false, 0, NULL. */

/** The value of the option of that name. */
double perp_options_real(const perp_options *opt, const char *name);
long perp_options_integer(const perp_options *opt, const char *name);
bool perp_options_switch(const perp_options *opt, const char *name);
/** Index in the list of choices. */
size_t perp_options_choice(const perp_options *opt, const char *name);
/** Bits of a LIST: bit k for the k-th of its choices. */
unsigned perp_options_list(const perp_options *opt, const char *name);
const char *perp_options_text(const perp_options *opt, const char *name);

PERP_END_DECLS

#endif
