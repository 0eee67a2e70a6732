/* SPDX-License-Identifier: Apache-2.0
 * command/results/peers.h: perp against other codes, code by code. */
#ifndef PERP_REPORT_PEERS_H
#define PERP_REPORT_PEERS_H

#include "section.h"

/** The best of each code against the best of perp's own solvers on the instances of a set. */
typedef struct peers_row {
    const char *set;
    double tolerance;
    const char *code; /**< "perp", or the name of the other code: "siconos" */
    size_t problems;
    size_t inapplicable; /**< no solver of the code takes them */
    size_t solved;       /**< by any solver of the code */
    size_t own_alone;    /**< solved by perp and not by this code, which takes them */
    size_t code_alone;   /**< solved by this code and not by perp */
    size_t ahead;        /**< of those that both solve: where perp's least time is less */
    size_t both;         /**< solved by both */
    size_t clear,
        clear_ahead; /**< of these two: where the times differ by more than a tie */
    double p;        /**< sign test over these, corrected for the codes of the table */
    const char
        *verdict; /**< of perp's times: "faster", "slower", "unclear"; "" without */
    double ratio; /**< geometric mean of the code's least time over perp's; NaN: none */
    const char *best; /**< its solver that solves most; of equals the one of least mean */
    size_t best_solved; /**< by that one */
    size_t wrong;       /**< false claims of all its solvers */
} peers_row;

/** The row of the code of column s; false where an earlier column has the same code. */
bool peers_row_make(peers_row *row, const run_table *t, size_t s);

/** The table of codes, of sets that other codes run on. */
extern const report_section peers_section;

#endif
