/* SPDX-License-Identifier: Apache-2.0
 * perp/options.h: how a problem is solved: a plain, copyable value, checked against tables.
 *
 * Each solver has a table of its own options; perp_options_common holds those of the loop.
 * The command line, the help, the checker and the manual are made from these tables. */
#ifndef PERP_OPTIONS_H
#define PERP_OPTIONS_H

#include <perp/base.h>

PERP_BEGIN_DECLS

typedef enum perp_option_kind {
    PERP_OPTION_NONE, /* ends a table */
    PERP_OPTION_REAL,
    PERP_OPTION_INTEGER,
    PERP_OPTION_SWITCH, /* on, off */
    PERP_OPTION_CHOICE, /* one of a list */
    PERP_OPTION_TEXT,   /* short text, checked by whoever uses it */
} perp_option_kind;

/** A row of a table. */
typedef struct perp_option {
    const char *name; /**< kebab-case, as typed after -- */
    perp_option_kind kind;
    double value; /**< default of REAL, INTEGER, SWITCH; index of the default CHOICE */
    double low, high;    /**< REAL, INTEGER: allowed range, ends included unless open */
    bool open;           /**< REAL: the ends are excluded */
    const char *choices; /**< CHOICE: "first|second|third"; TEXT: the default */
    const char *help;    /**< one line */
} perp_option;

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
#define PERP_OPTION_END                                                                  \
    {                                                                                    \
        NULL, PERP_OPTION_NONE, 0, 0, 0, false, NULL, NULL                               \
    }

/** Options of the loop, which every solver has: tolerance, max-iterations, time-limit, ... */
extern const perp_option perp_options_common[];

enum { PERP_OPTION_ROOM = 64, PERP_OPTION_TEXT_LENGTH = 48, PERP_OPTION_TABLES = 3 };

typedef struct perp_value {
    double number; /* REAL, INTEGER, SWITCH, index of CHOICE */
    char text[PERP_OPTION_TEXT_LENGTH];
    bool given; /* set by the caller, not the default */
} perp_value;

struct perp_solver_type;

/** Values for the common table, a solver's own, and (for a wrapper) that of what it wraps. */
typedef struct perp_options {
    const perp_option *tables[PERP_OPTION_TABLES]; /* common, own, inner; unused: NULL */
    const struct perp_solver_type *inner;          /* what a wrapper wraps, or NULL */
    perp_value values[PERP_OPTION_ROOM];
    const volatile int *interrupt; /* not 0: stop with PERP_INTERRUPTED; may be NULL */
    bool brief; /* of the measures only residual: the others cost some sweeps */
} perp_options;

/** Defaults for a solver; `inner` is what it wraps, or NULL. */
void perp_options_init(perp_options *opt, const struct perp_solver_type *type,
                       const struct perp_solver_type *inner);

/** Set an option from its text. PERP_ERR_OPTION says what was found and expected. */
perp_status perp_options_set(perp_options *opt, const char *name, const char *text,
                             perp_error *err);
perp_status perp_options_set_real(perp_options *opt, const char *name, double value,
                                  perp_error *err);

/** The option called `name` in any of the tables, or NULL. */
const perp_option *perp_options_find(const perp_options *opt, const char *name);
bool perp_options_given(const perp_options *opt, const char *name);
/** Value as text, as it would be typed; at most `length` bytes with the end. */
void perp_options_print(const perp_options *opt, const char *name, char *text,
                        size_t length);

/* Values. The name must be in one of the tables (an assertion, since tables are code). */
double perp_options_real(const perp_options *opt, const char *name);
long perp_options_integer(const perp_options *opt, const char *name);
bool perp_options_switch(const perp_options *opt, const char *name);
size_t perp_options_choice(const perp_options *opt,
                           const char *name); /* index in the list */
const char *perp_options_text(const perp_options *opt, const char *name);

PERP_END_DECLS

#endif
