/* SPDX-License-Identifier: Apache-2.0
 * core/operators.h: what the files of the storages share. Private. */
#ifndef PERP_CORE_OPERATORS_H
#define PERP_CORE_OPERATORS_H

#include "solvers.h"

/** Room for a*b items of `size` bytes, aligned; never of length zero. NULL without memory. */
void *perp_operator_array(size_t a, size_t b, size_t size);
/** An operator without arrays; PERP_ERR_DATA when an extent is beyond int. */
perp_status perp_operator_blank(perp_operator **A, const perp_operator_type *type,
                                size_t rows, size_t cols, perp_error *err);

/** part[i] := the least index that the nonzeros of a square CSR matrix join i to. */
void perp_operator_parts(const perp_operator *A, int32_t *part);

/* Of a factored matrix. */

void perp_factored_free(perp_factored *f); /* takes NULL */
perp_status perp_factored_copy(perp_operator **out, const perp_operator *A,
                               perp_error *err);
/** From J and G, both rows x nv in CSR, and the diagonal of C. Copies. */
perp_status perp_factored_of_copies(perp_operator **out, const perp_operator *J,
                                    const perp_operator *G, const double *C,
                                    perp_error *err);
/** G M^-T J^T + C: J and G change places. */
perp_status perp_factored_transpose(perp_operator **out, const perp_operator *A,
                                    perp_error *err);
/** [J G] [G J]^T / 2 + C, or a copy where A is symmetric already. */
perp_status perp_factored_symmetric_part(perp_operator **out, const perp_operator *A,
                                         perp_error *err);
/** Whether its parts are finite and so small that no entry can overflow. */
bool perp_factored_bounded(const perp_operator *A);
bool perp_factored_same(const perp_operator *A, const perp_operator *B);

#endif
