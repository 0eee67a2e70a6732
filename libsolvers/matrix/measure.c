/* SPDX-License-Identifier: Apache-2.0
 * matrix/measure.c: passes over dense square matrices, two numbers at a time.
 *
 *     largest = max |A_ij|,    gap = max |A_ij - A_ji|,    A' = D A D
 *
 * Size and asymmetry are measured in one pass, by two rows and two columns, so that each entry is
 * read once; NaN where an entry is NaN. A scaled copy is measured as it is written. */
#include <config.h>

#include "matrix/storages.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Two doubles that the machine may compare at once; the results are the same. */
typedef double measure_pair __attribute__((vector_size(16)));

typedef struct measure_sums {
    measure_pair largest, gap;
    measure_pair total; /* of the magnitudes: NaN if one of them is */
} measure_sums;

static inline measure_pair measure_load(const double *a)
{
    measure_pair v;

    memcpy(&v, a, sizeof v);
    return v;
}

static inline measure_pair measure_magnitude(measure_pair a)
{
#ifdef __SSE2__
    return (measure_pair)_mm_andnot_pd(_mm_set1_pd(-0.0), (__m128d)a);
#else
    return (measure_pair){fabs(a[0]), fabs(a[1])};
#endif
}

/* The larger of each pair; m where a is NaN. */
static inline measure_pair measure_larger(measure_pair a, measure_pair m)
{
#ifdef __SSE2__
    return (measure_pair)_mm_max_pd((__m128d)a, (__m128d)m);
#else
    return (measure_pair){a[0] > m[0] ? a[0] : m[0], a[1] > m[1] ? a[1] : m[1]};
#endif
}

static inline void measure_add(measure_sums *s, measure_pair a)
{
    measure_pair size = measure_magnitude(a);

    s->largest = measure_larger(size, s->largest);
    s->total += size;
}

/* The 2 x 2 block that begins at (i, j), and the one at (j, i). */
static inline void measure_blocks(measure_sums *s, const double *below,
                                  const double *above, size_t ld)
{
    measure_pair a = measure_load(below), b = measure_load(below + ld);
    measure_pair c = measure_load(above), d = measure_load(above + ld);
    measure_pair first = {c[0], d[0]}, second = {c[1], d[1]};

    measure_add(s, a);
    measure_add(s, b);
    measure_add(s, c);
    measure_add(s, d);
    s->gap = measure_larger(measure_magnitude(a - first), s->gap);
    s->gap = measure_larger(measure_magnitude(b - second), s->gap);
}

/* Entries (i, j) and (j, i). */
static inline void measure_single(measure_sums *s, double below, double above)
{
    measure_add(s, (measure_pair){below, above});
    s->gap =
        measure_larger(measure_magnitude((measure_pair){below - above, 0.0}), s->gap);
}

void perp_dense_measure(const perp_operator *A, double *largest, double *gap)
{
    enum { TILE = 64 }; /* rows and columns of a tile stay in the first cache */
    size_t n = A->rows, even = n - n % 2, ld = A->ld;
    const double *x = A->x;
    measure_sums s = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    measure_sums t = s; /* a second chain, so that comparisons overlap */

    for (size_t jj = 0; jj < even; jj += TILE) {
        for (size_t ii = jj; ii < even; ii += TILE) {
            size_t j_end = jj + TILE < even ? jj + TILE : even;
            size_t i_end = ii + TILE < even ? ii + TILE : even;

            for (size_t j = jj; j < j_end; j += 2) {
                size_t i = ii > j ? ii : j;

                for (; i + 4 <= i_end; i += 4) {
                    measure_blocks(&s, x + i + j * ld, x + j + i * ld, ld);
                    measure_blocks(&t, x + i + 2 + j * ld, x + j + (i + 2) * ld, ld);
                }
                if (i < i_end) {
                    measure_blocks(&s, x + i + j * ld, x + j + i * ld, ld);
                }
            }
        }
    }
    for (size_t j = 0; even < n && j < n; j++) {
        measure_single(&s, x[even + j * ld], x[j + even * ld]);
    }
    s.largest = measure_larger(t.largest, s.largest);
    s.gap = measure_larger(t.gap, s.gap);
    s.total += t.total;
    *largest = fmax(s.largest[0], s.largest[1]);
    *largest = isnan(s.total[0] + s.total[1]) ? NAN : *largest;
    *gap = isfinite(*largest) ? fmax(s.gap[0], s.gap[1]) : NAN;
}

/* y := scale D x of n numbers; the largest |y_i| is added to s. */
static inline void measure_scaled(measure_sums *s, size_t n, double scale,
                                  const double *D, const double *x, double *y)
{
    size_t i = 0;

    for (; i + 2 <= n; i += 2) {
        measure_pair v = measure_load(D + i) * measure_load(x + i) * scale;

        memcpy(y + i, &v, sizeof v);
        s->largest = measure_larger(measure_magnitude(v), s->largest);
    }
    if (i < n) {
        y[i] = D[i] * x[i] * scale;
        s->largest = measure_larger((measure_pair){fabs(y[i]), 0.0}, s->largest);
    }
}

perp_status perp_dense_new_scaled(perp_operator **out, const perp_operator *A,
                                  const double *D, perp_error *err)
{
    measure_sums s = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    perp_operator *B = NULL;
    perp_status status = perp_operator_new_dense_raw(&B, A->rows, A->cols, err);

    *out = B;
    if (status != PERP_OK) {
        return status;
    }
    for (size_t j = 0; j < A->cols; j++) {
        double *column = B->x + j * B->ld;

        measure_scaled(&s, A->rows, D[j], D, A->x + j * A->ld, column);
        memset(column + A->rows, 0, (B->ld - A->rows) * sizeof *column);
    }
    if (A->entries.known && A->entries.asymmetry == 0.0) { /* D is of powers of two */
        B->entries = (perp_entries){true, 0.0, fmax(s.largest[0], s.largest[1])};
    }
    return PERP_OK;
}
