/* SPDX-License-Identifier: Apache-2.0
 * tests/support/couples.c: rows that act on two bodies each, drawn. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "couples.h"

/* A random rotation by Gram and Schmidt, its rows scaled alike. */
static void draw_frame(perp_random *g, double F[3][3])
{
    for (size_t i = 0; i < 3; i++) {
        double length = 0.0;

        for (size_t d = 0; d < 3; d++) {
            F[i][d] = perp_random_uniform(g, -1.0, 1.0) + (i == d ? 2.0 : 0.0);
        }
        for (size_t k = 0; k < i; k++) {
            double dot = F[i][0] * F[k][0] + F[i][1] * F[k][1] + F[i][2] * F[k][2];

            for (size_t d = 0; d < 3; d++) {
                F[i][d] -= dot * F[k][d];
            }
        }
        length = sqrt(F[i][0] * F[i][0] + F[i][1] * F[i][1] + F[i][2] * F[i][2]);
        for (size_t d = 0; d < 3; d++) {
            F[i][d] /= length;
        }
    }
}

static void draw_contact(double *J, perp_random *g)
{
    double F[3][3], arm[2][3];

    draw_frame(g, F);
    for (size_t k = 0; k < 6; k++) {
        arm[k / 3][k % 3] = perp_random_uniform(g, -0.5, 0.5);
    }
    for (size_t k = 0; k < 18; k++) {
        size_t row = k / 6, side = k / 3 % 2, d = k % 3, e = (d + 1) % 3, f = (d + 2) % 3;
        double sign = side == 0 ? -1.0 : 1.0;

        J[12 * row + 6 * side + d] = sign * F[row][d];
        J[12 * row + 6 * side + 3 + d] =
            sign * (arm[side][e] * F[row][f] - arm[side][f] * F[row][e]);
    }
}

static void draw_bodies(couples *s, couples_kind kind, perp_random *g)
{
    for (size_t k = 0; k < COUPLES_BODIES; k++) {
        double *I = s->inverse_inertia + 9 * k, B[9];

        s->inverse_mass[k] = k == 2 ? 0.0 : perp_random_uniform(g, 0.5, 2.0);
        for (size_t m = 0; m < 9; m++) {
            B[m] = perp_random_uniform(g, -1.0, 1.0);
        }
        for (size_t m = 0; k != 2 && m < 9; m++) {
            const double *x = B + 3 * (m / 3), *y = B + 3 * (m % 3);

            I[m] = kind == COUPLES_ROUND ? (m % 4 == 0) * s->inverse_mass[k]
                                         : x[0] * y[0] + x[1] * y[1] + x[2] * y[2] +
                                               (m % 4 == 0 ? 0.5 : 0.0);
        }
    }
}

/* Bodies of block k. */
static void draw_names(int32_t *two, size_t k, perp_random *g)
{
    two[0] = (int32_t)perp_random_integer(g, 0, COUPLES_BODIES - 1);
    two[1] = (int32_t)perp_random_integer(g, 0, COUPLES_BODIES - 1);
    if (k % 5 == 1) {
        two[1] = -1;
    } else if (k % 5 == 2) {
        two[0] = -1;
    } else if (k == 8) {
        two[0] = two[1] = -1;
    }
}

void couples_draw(couples *s, couples_kind kind, const unsigned *dims, uint64_t seed)
{
    perp_random g = {seed};
    size_t row = 0;

    memset(s, 0, sizeof *s);
    draw_bodies(s, kind, &g);
    for (size_t k = 0; dims[k] > 0; k++) {
        int32_t two[2];

        draw_names(two, k, &g);
        if (kind != COUPLES_DRAWN && dims[k] == 3) {
            draw_contact(s->J + 12 * row, &g);
        }
        for (unsigned i = 0; i < dims[k]; i++, row++) {
            s->body[2 * row] = two[0];
            s->body[2 * row + 1] = two[1];
            s->C[row] = perp_random_uniform(&g, 0.05, 0.2);
            for (size_t m = 0; (kind == COUPLES_DRAWN || dims[k] != 3) && m < 12; m++) {
                s->J[12 * row + m] = perp_random_uniform(&g, -1.0, 1.0);
            }
        }
    }
    s->pairs = (perp_pairs){.rows = row,
                            .J = s->J,
                            .body = s->body,
                            .C = s->C,
                            .bodies = COUPLES_BODIES,
                            .inverse_mass = s->inverse_mass,
                            .inverse_inertia = s->inverse_inertia};
}

/* F, and arms by p = sum of F x (p x F)/(2 F.F). */
static void write_frame(const double *J, double *frame)
{
    memset(frame, 0, 15 * sizeof *frame);
    for (size_t i = 0; i < 3; i++) {
        const double *first = J + 12 * i + 3, *second = J + 12 * i + 9;
        const double *F = J + 12 * i + 6;
        double squared = F[0] * F[0] + F[1] * F[1] + F[2] * F[2];

        memcpy(frame + 3 * i, F, 3 * sizeof *frame);
        for (size_t d = 0; d < 3; d++) {
            size_t u = (d + 1) % 3, v = (d + 2) % 3;

            frame[9 + d] -= (F[u] * first[v] - F[v] * first[u]) / (2.0 * squared);
            frame[12 + d] += (F[u] * second[v] - F[v] * second[u]) / (2.0 * squared);
        }
    }
}

void couples_frame(couples *s, size_t from)
{
    memcpy(s->written, s->J, 12 * from * sizeof *s->J);
    memcpy(s->framed, s->body, 2 * from * sizeof *s->body);
    for (size_t k = 12 * from; k < 12 * COUPLES_ROWS; k++) {
        s->written[k] = NAN; /* never read */
    }
    for (size_t row = from, c = 0; row < s->pairs.rows; row += 3, c++) {
        write_frame(s->J + 12 * row, s->frames + 15 * c);
        memcpy(s->framed + 2 * (from + c), s->body + 2 * row, 2 * sizeof *s->body);
    }
    s->pairs.J = s->written;
    s->pairs.body = s->framed;
    s->pairs.frames = s->frames;
    s->pairs.frames_from = from;
}

perp_operator *couples_dense(const couples *s)
{
    enum { SPEEDS = 6 * COUPLES_BODIES };
    static double J[COUPLES_ROWS][SPEEDS], G[COUPLES_ROWS][SPEEDS];
    perp_operator *W = NULL;
    size_t n = s->pairs.rows;

    memset(J, 0, sizeof J);
    memset(G, 0, sizeof G);
    for (size_t k = 0; k < 12 * n; k++) {
        int32_t body = s->body[2 * (k / 12) + k % 12 / 6];

        if (body >= 0) {
            J[k / 12][6 * body + (int32_t)(k % 6)] += s->J[k];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t v = 0; v < SPEEDS; v++) {
            for (size_t m = 3; v % 6 >= 3 && m < 6; m++) {
                G[i][v] += s->inverse_inertia[9 * (v / 6) + 3 * (v % 6 - 3) + m - 3] *
                           J[i][v / 6 * 6 + m];
            }
            G[i][v] += v % 6 < 3 ? s->inverse_mass[v / 6] * J[i][v] : 0.0;
        }
    }
    OK(perp_operator_new_dense(&W, n, n, NULL));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = i == j ? s->C[i] : 0.0;

            for (size_t v = 0; v < SPEEDS; v++) {
                sum += J[i][v] * G[j][v];
            }
            W->x[i + j * W->ld] = sum;
        }
    }
    return W;
}

/* C of a block: 0.1 for all rows, or from 0.01 to 100 for normals and others apart. */
static void couples_draw_compliance(couples *s, const unsigned *dims, uint64_t kind)
{
    size_t row = 0;

    for (size_t k = 0; dims[k] > 0; k++) {
        for (unsigned i = 0; i < dims[k]; i++, row++) {
            size_t part = dims[k] == 2 && k > 5 ? 0 : (i + 1) / 2;

            s->C[row] =
                kind == 0 ? 0.1 : pow(10.0, (double)((k + kind * part) % 5) - 2.0);
        }
    }
}

perp_problem *couples_of_all_kinds(couples *s, uint64_t seed)
{
    const unsigned dims[] = {3, 3, 5, 2, 2, 1, 1, 1, 3, 3, 5, 2, 1, 1, 1, 3, 1, 0};
    perp_operator *A = NULL;
    perp_set *set = NULL;
    perp_random g = {seed};

    couples_draw(s, seed % 4 < 2 ? COUPLES_ARMS : COUPLES_DRAWN, dims, seed);
    couples_draw_compliance(s, dims, seed % 3);
    OK(perp_set_new(&set, 17, NULL));
    for (size_t k = 0; dims[k] > 0; k++) {
        const unsigned dim = dims[k];

        if (dim == 3 || (dim == 2 && k < 5)) {
            perp_set_add_cone(set, dims[k], 0.2);
        } else if (dims[k] == 5) {
            perp_set_add_rolling(set, 0.2, 0.1);
        } else if (dims[k] == 2) {
            perp_set_add_disk(set, 0.3);
        } else if (k % 3 == 0) {
            perp_set_add_free(set);
        } else if (k % 3 == 1) {
            perp_set_add_nonneg(set);
        } else {
            perp_set_add_box(set, -0.2, 0.4);
        }
    }
    OK(perp_operator_new_pairs(&A, &s->pairs, NULL));
    return test_problem(A, set, seed % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB, &g);
}
