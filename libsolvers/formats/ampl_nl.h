/* SPDX-License-Identifier: Apache-2.0
 * formats/ampl_nl.h: a .nl file as it is read: rows and variables by number, from 0. Private. */
#ifndef PERP_FORMATS_AMPL_NL_H
#define PERP_FORMATS_AMPL_NL_H

#include <perp/triplets.h>

#include "formats.h"

#define PERP_NL_NONE SIZE_MAX

/** Senses of a row, as the file has them. */
typedef enum perp_nl_sense {
    PERP_NL_RANGE,      /**< lo <= body <= hi */
    PERP_NL_AT_MOST,    /**< body <= hi */
    PERP_NL_AT_LEAST,   /**< lo <= body */
    PERP_NL_UNBOUNDED,  /**< no constraint */
    PERP_NL_EQUAL,      /**< body = lo */
    PERP_NL_COMPLEMENT, /**< body complements a variable */
} perp_nl_sense;

typedef struct perp_nl_row {
    perp_nl_sense sense;
    double constant; /**< of the body */
    double rhs;      /**< EQUAL */
    size_t variable; /**< COMPLEMENT */
    unsigned sides;  /**< COMPLEMENT: 1 the variable has a lower bound, 2 an upper one */
} perp_nl_row;

typedef struct perp_nl_model {
    const char *path;
    char name[64];
    size_t rows, variables;
    perp_nl_row *row;
    double *lo, *hi, *start; /**< of the variables */
    bool has_start;
    perp_triplets t;  /**< linear parts, until they are E */
    perp_operator *E; /**< rows x variables, CSR */
} perp_nl_model;

/** The model of a loaded source. perp_nl_clear also after a failure. */
perp_status perp_nl_parse(perp_nl_model *m, const perp_source *from, perp_error *err);
void perp_nl_clear(perp_nl_model *m);
/** The complementarity problem of a model. */
perp_status perp_nl_problem(perp_problem **p, const perp_nl_model *m, perp_error *err);

int perp_nl_detect(const perp_source *from);
perp_status perp_nl_read(perp_source *from, const perp_read_options *opt,
                         perp_problem **p, perp_notes *notes, perp_error *err);

#endif
