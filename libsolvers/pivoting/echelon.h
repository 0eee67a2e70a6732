/* SPDX-License-Identifier: Apache-2.0
 * pivoting/echelon.h: a small linear system, to which one equation after the other is added. Private. */
#ifndef PERP_PIVOTING_ECHELON_H
#define PERP_PIVOTING_ECHELON_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { ECHELON_MOST = 20 };

/** k unknowns; each row is 0 at the pivots of the rows before it, and 1 at its own. */
typedef struct echelon {
    size_t k, rank;
    double row[ECHELON_MOST][ECHELON_MOST + 1]; /**< with the right side at k */
    size_t pivot[ECHELON_MOST];
} echelon;

/** An equation, k coefficients and the right side; false: it depends on the others, to 1e-10. */
static inline bool echelon_add(echelon *e, const double *coefficient)
{
    double *row = e->row[e->rank];
    double size = 0.0;
    double most = 0.0;
    size_t pivot = 0;

    if (e->rank == e->k) {
        return false;
    }
    for (size_t j = 0; j <= e->k; j++) {
        row[j] = coefficient[j];
        size = j < e->k ? fmax(size, fabs(row[j])) : size;
    }
    for (size_t i = 0; i < e->rank; i++) {
        const double factor = row[e->pivot[i]];

        for (size_t j = 0; j <= e->k && factor != 0.0; j++) {
            row[j] -= factor * e->row[i][j];
        }
        row[e->pivot[i]] = 0.0;
    }
    for (size_t j = 0; j < e->k; j++) {
        if (fabs(row[j]) > most) {
            most = fabs(row[j]);
            pivot = j;
        }
    }
    if (!(most > 1e-10 * size)) {
        return false;
    }
    most = row[pivot];
    for (size_t j = 0; j <= e->k; j++) {
        row[j] /= most;
    }
    e->pivot[e->rank++] = pivot;
    return true;
}

/** x, k entries, where one unknown at most is free: it has the value `free`. */
static inline void echelon_solve(const echelon *e, double free, double *x)
{
    for (size_t j = 0; j < e->k; j++) {
        x[j] = free;
    }
    for (size_t i = e->rank; i-- > 0;) {
        double sum = e->row[i][e->k];

        for (size_t j = 0; j < e->k; j++) {
            sum -= j != e->pivot[i] ? e->row[i][j] * x[j] : 0.0;
        }
        x[e->pivot[i]] = sum;
    }
}

#endif
