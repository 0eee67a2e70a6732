/* SPDX-License-Identifier: Apache-2.0
 * formats/golden.h: what the files of the perp-golden format share. Private. */
#ifndef PERP_FORMATS_GOLDEN_H
#define PERP_FORMATS_GOLDEN_H

#include "sets.h"

/** One problem being read. */
typedef struct golden_reader {
    const char *file;
    const json_t *o; /**< the object that holds M, q, ...: the document or a case */
    char kind[16];   /**< of a single problem: "fc3d" also for "fc3d-local-batch" */
    char at[32];     /**< place of o: "" or "cases[3]." */
    size_t n;
    double *b; /**< b, A and set belong to the reader until a problem takes them over */
    perp_operator *A;
    perp_set *set;
    perp_law law;
} golden_reader;

/** "file: at what". */
perp_status perp_golden_fail(const golden_reader *g, perp_status status, const char *what,
                             perp_error *err);
/* In this order, since q says how many rows there are. */
perp_status perp_golden_vector(golden_reader *g, perp_error *err);
perp_status perp_golden_matrix(golden_reader *g, perp_error *err);
perp_status perp_golden_set(golden_reader *g, perp_error *err);

perp_status perp_golden_write(perp_file_out *out, const perp_problem *p, const char *kind,
                              perp_error *err);

#endif
