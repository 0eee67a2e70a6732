/* SPDX-License-Identifier: Apache-2.0
 * pivoting/contact_modes.c: all solutions of up to three contacts in space under Coulomb's law, by modes.
 *
 *     open     z = 0
 *     stick    w = 0
 *     slide    z_T = -mu z_N d,  w_N = 0,  w_T x d = 0,    d = (cos a, sin a)
 *
 * The directions of the sliding contacts fix z by a linear system B(a) y = -b of the others, and
 *
 *     g_c(a) = det B(a) (w_T x d)_c
 *
 * is a trigonometric polynomial, of degree 2 in a_c and 1 in the other angles: its coefficients follow from 5
 * angles each. Cells of the torus are halved until a second-order bound of g excludes them or Newton's method
 * ends in a zero; so no zero is missed but where g is degenerate. Such cells and sets whose B is singular are
 * counted, and the list is not called complete. A contact with mu = 0 slides in no direction. The judge
 * decides what is a solution. */
#include <config.h>

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "core/solvers.h"
#include "judge/judge.h"
#include "pivoting/contact_modes.h"

enum {
    CONTACTS = 3,
    ROWS = 3 * CONTACTS,
    SAMPLES = 5,
    MOST_TERMS = 125,
    MOST_FOUND = 256
};
enum { MOST_CELLS = 1 << 19, CELLS_PER_TURN = 8 };
enum { OPEN, STICK, SLIDE, MODES };

static const double pi = 3.14159265358979323846;
static const double accepted = 1e-10; /* residual of a solution */
static const double same = 1e-7;      /* of two solutions, relative */
static const double singular = 1e-11; /* of a pivot, relative to the largest entry */
/* Half a cell [rad] where Newton's method may decide, and where no cell is halved any more. */
static const double decide = 0.0125, smallest = 4e-4;

typedef struct modes {
    const perp_problem *p;
    perp_judge *judge;
    size_t contacts, n;
    double A[ROWS * ROWS]; /* by rows */
    int mode[CONTACTS];
    size_t angles, slider[CONTACTS]; /* contacts that slide in a direction */
    double complex term[CONTACTS][MOST_TERMS];
    double curve[CONTACTS], size[CONTACTS]; /* sums of |k|^2 |term| and of |term| */
    double usual;                           /* mean of |w_T x d| */
    size_t terms, cells;
    bool undecided;
    perp_solutions *found;
} modes;

static double modes_mu(const modes *s, size_t c)
{
    return s->p->set->blocks[c].mu;
}

/* Column `y` of the unknowns of contact c in the rows of z: 1 at one row, or the force of sliding. */
static size_t modes_columns(const modes *s, const double *angle, double Y[ROWS][ROWS])
{
    size_t columns = 0, k = 0;

    for (size_t c = 0; c < s->contacts; c++) {
        if (s->mode[c] == STICK) {
            for (size_t i = 0; i < 3; i++, columns++) {
                memset(Y[columns], 0, sizeof Y[columns]);
                Y[columns][3 * c + i] = 1.0;
            }
        } else if (s->mode[c] == SLIDE) {
            const double mu = modes_mu(s, c);

            memset(Y[columns], 0, sizeof Y[columns]);
            Y[columns][3 * c] = 1.0;
            if (mu > 0.0) {
                Y[columns][3 * c + 1] = -mu * cos(angle[k]);
                Y[columns][3 * c + 2] = -mu * sin(angle[k]);
                k++;
            }
            columns++;
        }
    }
    return columns;
}

/* B y = -b by elimination with pivots; the determinant, 0 where B is singular. */
static double modes_eliminate(size_t n, double B[ROWS][ROWS + 1], double *y)
{
    double det = 1.0, largest = 0.0;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            largest = fmax(largest, fabs(B[i][j]));
        }
    }
    for (size_t k = 0; k < n; k++) {
        size_t at = k;

        for (size_t i = k + 1; i < n; i++) {
            at = fabs(B[i][k]) > fabs(B[at][k]) ? i : at;
        }
        if (!(fabs(B[at][k]) > singular * largest)) {
            return 0.0;
        }
        for (size_t j = k; j <= n && at != k; j++) {
            const double x = B[k][j];

            B[k][j] = B[at][j];
            B[at][j] = x;
        }
        det *= at == k ? B[k][k] : -B[k][k];
        for (size_t i = k + 1; i < n; i++) {
            const double f = B[i][k] / B[k][k];

            for (size_t j = k; j <= n; j++) {
                B[i][j] -= f * B[k][j];
            }
        }
    }
    for (size_t k = n; k-- > 0;) {
        y[k] = B[k][n];
        for (size_t j = k + 1; j < n; j++) {
            y[k] -= B[k][j] * y[j];
        }
        y[k] /= B[k][k];
    }
    return det;
}

/* z, and g of each sliding contact but for the determinant, which is returned; 0: B is singular. */
static double modes_point(const modes *s, const double *angle, double *z, double *g)
{
    double Y[ROWS][ROWS], B[ROWS][ROWS + 1], y[ROWS], det = 0.0;
    const size_t m = modes_columns(s, angle, Y);
    size_t row = 0;

    for (size_t c = 0; c < s->contacts; c++) {
        const size_t rows = s->mode[c] == STICK ? 3 : s->mode[c] == SLIDE ? 1 : 0;

        for (size_t i = 0; i < rows; i++, row++) {
            for (size_t j = 0; j < m; j++) {
                B[row][j] = 0.0;
                for (size_t l = 0; l < s->n; l++) {
                    B[row][j] += s->A[(3 * c + i) * s->n + l] * Y[j][l];
                }
            }
            B[row][m] = -s->p->b[3 * c + i];
        }
    }
    det = modes_eliminate(m, B, y);
    memset(z, 0, s->n * sizeof *z);
    for (size_t j = 0; j < m && det != 0.0; j++) {
        for (size_t l = 0; l < s->n; l++) {
            z[l] += Y[j][l] * y[j];
        }
    }
    for (size_t k = 0; k < s->angles; k++) {
        const size_t first = 3 * s->slider[k];
        double w[2] = {s->p->b[first + 1], s->p->b[first + 2]};

        for (size_t l = 0; l < s->n; l++) {
            w[0] += s->A[(first + 1) * s->n + l] * z[l];
            w[1] += s->A[(first + 2) * s->n + l] * z[l];
        }
        g[k] = w[0] * sin(angle[k]) - w[1] * cos(angle[k]);
    }
    return det;
}

/* Wave number of digit k of a term. */
static int modes_wave(size_t term, size_t k)
{
    while (k-- > 0) {
        term /= SAMPLES;
    }
    return (int)(term % SAMPLES) - 2;
}

/* The coefficients of g from its values; false where B is singular at one of them. */
static bool modes_transform(modes *s)
{
    double g[MOST_TERMS][CONTACTS], z[ROWS], angle[CONTACTS];

    s->usual = 0.0;
    s->terms = s->angles == 1 ? 5 : s->angles == 2 ? 25 : 125;
    for (size_t q = 0; q < s->terms; q++) {
        double det = 0.0;

        for (size_t k = 0; k < s->angles; k++) {
            angle[k] = 2.0 * pi / SAMPLES * (modes_wave(q, k) + 0.1234);
        }
        det = modes_point(s, angle, z, g[q]);
        if (det == 0.0) {
            return false;
        }
        for (size_t k = 0; k < s->angles; k++) {
            s->usual += fabs(g[q][k]) / (double)(s->terms * s->angles);
            g[q][k] *= det;
        }
    }
    for (size_t c = 0; c < s->angles; c++) {
        s->curve[c] = s->size[c] = 0.0;
        for (size_t t = 0; t < s->terms; t++) {
            double complex sum = 0.0;
            double waves = 0.0;

            for (size_t q = 0; q < s->terms; q++) {
                double phase = 0.0;

                for (size_t k = 0; k < s->angles; k++) {
                    phase += modes_wave(t, k) * 2.0 * pi / SAMPLES *
                             (modes_wave(q, k) + 0.1234);
                }
                sum += g[q][c] * cexp(-I * phase);
            }
            s->term[c][t] = sum / (double)s->terms;
            for (size_t k = 0; k < s->angles; k++) {
                waves += abs(modes_wave(t, k));
            }
            s->curve[c] += waves * waves * cabs(s->term[c][t]);
            s->size[c] += cabs(s->term[c][t]);
        }
    }
    return true;
}

/* g and its derivatives at an angle. */
static void modes_evaluate(const modes *s, const double *angle, double *g,
                           double J[CONTACTS][CONTACTS])
{
    double complex wave[CONTACTS][SAMPLES];

    for (size_t k = 0; k < s->angles; k++) {
        for (int q = 0; q < SAMPLES; q++) {
            wave[k][q] = cexp(I * (q - 2) * angle[k]);
        }
    }
    memset(g, 0, CONTACTS * sizeof *g);
    memset(J, 0, CONTACTS * sizeof *J);
    for (size_t t = 0; t < s->terms; t++) {
        double complex all = 1.0;

        for (size_t k = 0; k < s->angles; k++) {
            all *= wave[k][modes_wave(t, k) + 2];
        }
        for (size_t c = 0; c < s->angles; c++) {
            const double complex x = s->term[c][t] * all;

            g[c] += creal(x);
            for (size_t k = 0; k < s->angles; k++) {
                J[c][k] -= modes_wave(t, k) * cimag(x);
            }
        }
    }
}

/* step = -J^-1 g; false: J is singular. inverse: the largest row sum of |J^-1| diag(x). */
static bool modes_newton(const modes *s, const double *g, double J[CONTACTS][CONTACTS],
                         const double *x, double *step, double *inverse)
{
    double B[ROWS][ROWS + 1], column[ROWS], sum[CONTACTS] = {0};

    for (size_t right = 0; right <= s->angles;
         right++) { /* columns of J^-1, then the step */
        for (size_t c = 0; c < s->angles; c++) {
            memcpy(B[c], J[c], s->angles * sizeof B[c][0]);
            B[c][s->angles] = right < s->angles ? (c == right ? x[c] : 0.0) : -g[c];
        }
        if (modes_eliminate(s->angles, B, right < s->angles ? column : step) == 0.0) {
            return false;
        }
        for (size_t c = 0; c < s->angles && right < s->angles; c++) {
            sum[c] += fabs(column[c]);
        }
    }
    *inverse =
        fmax(sum[0], fmax(s->angles > 1 ? sum[1] : 0.0, s->angles > 2 ? sum[2] : 0.0));
    return true;
}

static void modes_keep(modes *s, const double *z)
{
    perp_solutions *f = s->found;

    if (perp_judge_residual(s->judge, z) > accepted) {
        return;
    }
    for (size_t k = 0; k < f->count; k++) {
        double distance = 0.0, size = 0.0;

        for (size_t i = 0; i < s->n; i++) {
            distance = fmax(distance, fabs(z[i] - f->z[k * s->n + i]));
            size = fmax(size, fmax(fabs(z[i]), fabs(f->z[k * s->n + i])));
        }
        if (distance <= same * size) {
            return;
        }
    }
    if (f->count == MOST_FOUND) {
        f->complete = false;
        return;
    }
    memcpy(f->z + s->n * f->count++, z, s->n * sizeof *z);
}

/* Newton's method from the middle of a cell, then on g itself; whether it ends in a zero near by. */
static bool modes_polish(modes *s, const double *middle, double half)
{
    double angle[CONTACTS] = {0}, g[CONTACTS], step[CONTACTS], z[ROWS], inverse = 0.0;
    double J[CONTACTS][CONTACTS], last = INFINITY;
    bool ends = false;

    memcpy(angle, middle, s->angles * sizeof *angle);
    for (int k = 0; k < 30 && !ends; k++) {
        const double det = modes_point(s, angle, z, g);
        double moved = 0.0, waste[CONTACTS];

        modes_evaluate(s, angle, waste, J);
        for (size_t c = 0; c < s->angles; c++) {
            g[c] *= det;
        }
        if (det == 0.0 || !modes_newton(s, g, J, s->size, step, &inverse)) {
            return false;
        }
        for (size_t c = 0; c < s->angles; c++) {
            angle[c] += step[c];
            moved = fmax(moved, fabs(step[c]));
            if (fabs(angle[c] - middle[c]) > 100.0 * half) {
                return false;
            }
        }
        ends = moved < 1e-14 || (moved < 1e-9 && moved >= last);
        last = moved;
    }
    if (!ends) {
        return false;
    }
    if (modes_point(s, angle, z, g) != 0.0) {
        modes_keep(s, z);
    }
    return true;
}

/* Where det B = 0 and g = 0 at once, w_T x d near by is p + t q for any t, as B y = -b has a line of solutions.
 * Whether that line, through two values, is clear of 0, or all values near by are large. */
static bool modes_is_spurious(const modes *s, const double *middle, double half)
{
    double f[2 * CONTACTS][CONTACTS], z[ROWS];
    double size = 0.0, least = INFINITY, apart = 0.0, along = 0.0;
    double det = 0.0;
    size_t near = 0, far = 0, positive = 0;

    if (s->angles < 2) {
        return false;
    }
    for (size_t q = 0; q < 2 * s->angles; q++) {
        double angle[CONTACTS] = {0};

        memcpy(angle, middle, s->angles * sizeof *angle);
        angle[q / 2] += q % 2 ? half : -half;
        det = modes_point(s, angle, z, f[q]);
        if (det == 0.0) {
            return false;
        }
        positive += det > 0.0;
        size = hypot(f[q][0], hypot(f[q][1], s->angles > 2 ? f[q][2] : 0.0));
        near = size < least ? q : near;
        least = fmin(least, size);
    }
    if (positive == 0 || positive == 2 * s->angles) { /* det B is not 0 */
        return false;
    }
    if (least > 10.0 * s->usual) { /* poles of all */
        return true;
    }
    for (size_t q = 0; q < 2 * s->angles; q++) {
        double square = 0.0, dot = 0.0;

        for (size_t c = 0; c < s->angles; c++) {
            const double d = f[q][c] - f[near][c];

            square += d * d;
            dot += d * f[near][c];
        }
        if (square > apart) {
            apart = square;
            along = dot;
            far = q;
        }
    }
    return far != near && apart > 0.01 * least * least &&
           least * least - along * along / apart > 0.04 * least * least;
}

/* Halve a cell until it holds no zero, or one that Newton's method finds: where J changes by less than half of it,
 * there is no other. */
static void modes_search(modes *s, const double *middle, double half)
{
    double g[CONTACTS], J[CONTACTS][CONTACTS], step[CONTACTS], inverse = INFINITY;

    if (++s->cells > MOST_CELLS) {
        s->undecided = true;
        return;
    }
    modes_evaluate(s, middle, g, J);
    for (size_t c = 0; c < s->angles; c++) {
        double slope = 0.0;

        for (size_t k = 0; k < s->angles; k++) {
            slope += fabs(J[c][k]);
        }
        if (fabs(g[c]) >
            half * slope + 0.5 * half * half * s->curve[c] + 1e-12 * s->size[c]) {
            return;
        }
    }
    if (modes_newton(s, g, J, s->curve, step, &inverse)) {
        const double reach = half + 0.5 * half * half * inverse + 1e-9;

        for (size_t c = 0; c < s->angles; c++) {
            if (fabs(step[c]) > reach) {
                return;
            }
        }
    }
    if (half <= decide && ((half * inverse < 0.5 && modes_polish(s, middle, half)) ||
                           modes_is_spurious(s, middle, half))) {
        return;
    }
    if (half <= smallest) {
        modes_polish(s, middle, half);
        s->undecided = true;
        return;
    }
    for (size_t q = 0; q < (size_t)1 << s->angles; q++) {
        double part[CONTACTS] = {0};

        for (size_t k = 0; k < s->angles; k++) {
            part[k] = middle[k] + (q >> k & 1 ? 0.5 : -0.5) * half;
        }
        modes_search(s, part, 0.5 * half);
    }
}

/* All directions of the sliding contacts of one set of modes. */
static void modes_directions(modes *s)
{
    const double half = pi / CELLS_PER_TURN;
    size_t cells = 1;

    for (size_t k = 0; k < s->angles; k++) {
        cells *= CELLS_PER_TURN;
    }
    s->cells = 0;
    for (size_t q = 0; q < cells; q++) {
        double middle[CONTACTS] = {0};
        size_t rest = q;

        for (size_t k = 0; k < s->angles; k++, rest /= CELLS_PER_TURN) {
            middle[k] = half * (2.0 * (double)(rest % CELLS_PER_TURN) + 1.0);
        }
        modes_search(s, middle, half);
    }
}

static void modes_one_set(modes *s)
{
    double z[ROWS] = {0}, g[CONTACTS];
    bool regular = true;

    s->angles = 0;
    for (size_t c = 0; c < s->contacts; c++) {
        if (s->mode[c] == SLIDE && modes_mu(s, c) > 0.0) {
            s->slider[s->angles++] = c;
        }
    }
    if (s->angles == 0) {
        regular = modes_point(s, NULL, z, g) != 0.0;
        if (regular) {
            modes_keep(s, z);
        }
    } else {
        regular = modes_transform(s);
        if (regular) {
            modes_directions(s);
        }
    }
    s->found->singular += !regular;
}

static bool modes_next(modes *s)
{
    for (size_t c = 0; c < s->contacts; c++) {
        if (++s->mode[c] < MODES) {
            return true;
        }
        s->mode[c] = OPEN;
    }
    return false;
}

bool perp_contact_modes_take(const perp_problem *p)
{
    bool takes =
        p->law == PERP_LAW_COULOMB && p->set->count >= 1 && p->set->count <= CONTACTS;

    for (size_t k = 0; k < p->set->count; k++) {
        takes = takes && p->set->blocks[k].kind == PERP_SET_CONE &&
                p->set->blocks[k].dim == 3;
    }
    return takes;
}

perp_status perp_contact_modes_find(const perp_problem *p, perp_solutions *found,
                                    perp_error *err)
{
    modes *s = calloc(1, sizeof *s);
    perp_status status = s ? perp_judge_new(&s->judge, p, err) : PERP_ERR_MEMORY;

    found->n = p->n;
    found->complete = true;
    found->z = calloc(MOST_FOUND * p->n, sizeof *found->z);
    if (!s || !found->z) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "no memory for %d solutions", MOST_FOUND);
    }
    if (status == PERP_OK) {
        s->p = p;
        s->found = found;
        s->n = p->n;
        s->contacts = p->set->count;
        for (size_t i = 0; i < p->n * p->n; i++) {
            s->A[i] = perp_operator_entry(p->A, i / p->n, i % p->n);
        }
        do {
            found->sets++;
            modes_one_set(s);
        } while (modes_next(s));
        found->complete = found->complete && !s->undecided && found->singular == 0;
    }
    if (s) {
        perp_judge_free(s->judge);
    }
    free(s);
    return status;
}
