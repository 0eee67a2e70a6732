/* SPDX-License-Identifier: Apache-2.0
 * system/impulses.c: what impulses do to the velocities, and sequential impulses.
 *
 *     du = M^-1 J^T z
 *
 * Sequential impulses keep u instead of A [catto-2005]. Row by row, with the accumulated
 * z,
 *
 *     d = -(J u - bias + soft z)/(J M^-1 J^T + soft);   z' = clamp(z + d, lo, hi)
 *     u += M^-1 J^T (z' - z)
 *
 * The sum is clamped, never the increment, which would stop at a wrong point. Tangents
 * lie within +-mu times their normal's impulse as it stands. Nothing is allocated: M^-1
 * J^T of a row is made anew each time. */
#include <config.h>

#include <math.h>

#include "parts.h"

void system_impulses(const perp_rows *rows, size_t bodies, const double *inverse_mass,
                     const double *inverse_inertia, const double *z, double *du)
{
    memset(du, 0, 6 * bodies * sizeof *du);
    for (size_t r = 0; r < rows->count; r++) {
        for (size_t s = 0; s < 2; s++) {
            const int32_t body = rows->body[2 * r + s];
            const double *J = rows->J + 12 * r + 6 * s;

            for (size_t c = 0; body >= 0 && c < 6; c++) {
                du[6 * (size_t)body + c] += J[c] * z[r];
            }
        }
    }
    for (size_t k = 0; k < bodies; k++) {
        system_inverse(inverse_mass[k], inverse_inertia + 9 * k, du + 6 * k, du + 6 * k);
    }
}

/* One row: its bodies' velocities, and the columns that they answer by. */
static void impulses_row(const perp_rows *rows, size_t r, const perp_world *world,
                         const size_t body[2], double lo, double hi, double *u, double *z)
{
    const double *J = rows->J + 12 * r;
    double G[12];
    double rate = rows->soft[r] * z[r] - rows->bias[r];
    double stiff = rows->soft[r];
    double next = 0.0;

    for (size_t s = 0; s < 2; s++) {
        system_inverse(world->inverse_mass[body[s]], world->inverse_inertia + 9 * body[s],
                       J + 6 * s, G + 6 * s);
        for (size_t c = 0; c < 6; c++) {
            rate += J[6 * s + c] * u[6 * body[s] + c];
            stiff += J[6 * s + c] * G[6 * s + c];
        }
    }
    if (!(stiff > 0.0)) {
        return;
    }
    next = fmin(fmax(z[r] - rate / stiff, lo), hi);
    for (size_t s = 0; s < 2; s++) {
        for (size_t c = 0; c < 6; c++) {
            u[6 * body[s] + c] += G[6 * s + c] * (next - z[r]);
        }
    }
    z[r] = next;
}

static void impulses_block(const perp_rows *rows, const perp_row_block *b,
                           const perp_world *world, const perp_contacts *contacts,
                           double *u, double *z)
{
    const bool contact = b->role == PERP_ROLE_CONTACT;
    size_t body[2] = {0, 0};

    system_bodies(b, world, contacts, &body[0], &body[1]);
    for (size_t r = b->first; r < b->first + b->dim; r++) {
        double lo = rows->lo[r];
        double hi = rows->hi[r];

        if (contact && r > b->first) {
            hi = contacts->at[b->source].mu * fmax(z[b->first], 0.0);
            lo = -hi;
        }
        impulses_row(rows, r, world, body, lo, hi, u, z);
    }
}

void perp_sequential_impulses(const perp_rows *rows, const perp_world *world,
                              const perp_contacts *contacts, size_t sweeps, double *u,
                              double *z)
{
    for (size_t sweep = 0; sweep < sweeps; sweep++) {
        for (size_t k = 0; k < rows->block_count; k++) {
            impulses_block(rows, &rows->blocks[k], world, contacts, u, z);
        }
    }
}
