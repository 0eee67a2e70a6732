/* SPDX-License-Identifier: Apache-2.0
 * problem/impulses.c: what impulses do to the velocities, and sequential impulses.
 *
 *     du = M^-1 J^T z,   in reduced coordinates J_b H^-1 J_b^T (J^T z), J_b of the bodies,
 *                        M* for M under implicit forces (problem/effective.h)
 *
 * Sequential impulses keep u instead of A [catto-2005]. Row by row, with the accumulated
 * z,
 *
 *     d = -(J u - bias + soft z)/(J M^-1 J^T + soft);   z' = clamp(z + d, lo, hi)
 *     u += M^-1 J^T (z' - z)
 *
 * The sum is clamped, never the increment, which would stop at a wrong point. Tangents
 * lie within +-mu times their normal's impulse as it stands. Nothing is allocated: M^-1
 * J^T of a row is computed each time. */
#include <config.h>

#include <math.h>

#include "problem/effective.h"
#include "problem/parts.h"

void system_gather(const perp_rows *rows, size_t bodies, const double *z, double *f)
{
    const double *frame = rows->frames;
    const int32_t *body = rows->body + 2 * rows->frames_from;

    memset(f, 0, 6 * bodies * sizeof *f);
    for (size_t r = 0; r < rows->frames_from; r++) {
        for (size_t s = 0; s < 2; s++) {
            const int32_t k = rows->body[2 * r + s];
            const double *J = rows->J + 12 * r + 6 * s;

            for (size_t c = 0; k >= 0 && c < 6; c++) {
                f[6 * (size_t)k + c] += J[c] * z[r];
            }
        }
    }
    for (size_t e = 0; e < 2 * rows->second_count; e++) {
        const perp_row_second *second = &rows->seconds[e / 2];
        const int32_t k = second->body[e % 2];

        for (size_t c = 0; k >= 0 && c < 6; c++) {
            f[6 * (size_t)k + c] += second->J[6 * (e % 2) + c] * z[second->row];
        }
    }
    for (size_t r = rows->frames_from; r < rows->count; r += 3, frame += 15, body += 2) {
        if (z[r] != 0.0 || z[r + 1] != 0.0 || z[r + 2] != 0.0) {
            system_frame_push(frame, body, z + r, f);
        }
    }
}

void perp_system_impulses(const perp_system *system, const double *z, double *du)
{
    const system_own *own = system->own;
    const perp_effective_mass *mass = system->mass;
    const bool reduced = system_is_reduced(system);

    system_gather(&system->rows, system->bodies, z, du);
    for (size_t k = 0; k < system->bodies; k++) {
        if (mass && mass->group[k] >= 0) {
            continue;
        }
        if (!reduced || own->reduced.link[k] < 0) {
            system_inverse(system->inverse_mass[k], system->inverse_inertia + 9 * k,
                           du + 6 * k, du + 6 * k);
        }
    }
    if (reduced) {
        system_respond(&own->reduced, system->bodies, du);
    }
    if (mass) {
        effective_solve(mass, du);
    }
}

void perp_system_velocities(const perp_system *system, const double *z, double *u)
{
    perp_system_impulses(system, z, u);
    for (size_t k = 0; k < 6 * system->bodies; k++) {
        u[k] += system->u_free[k];
    }
}

/* Append the halves of J to those of `count` bodies; a body that is there gets the sum. */
static size_t impulses_append(const double *second, const int32_t on[2], double J[24],
                              size_t body[4], size_t count)
{
    for (size_t s = 0; s < 2; s++) {
        size_t at = 0;

        while (at < count && body[at] != (size_t)on[s]) {
            at++;
        }
        if (at == count) {
            body[count++] = (size_t)on[s];
            memset(J + 6 * at, 0, 6 * sizeof *J);
        }
        for (size_t c = 0; c < 6; c++) {
            J[6 * at + c] += second[6 * s + c];
        }
    }
    return count;
}

/* One row: its bodies' velocities, and the columns that they answer by. */
static void impulses_row(const perp_rows *rows, size_t r, const perp_world *world,
                         const perp_state *state, const size_t pair[2], double lo,
                         double hi, double *u, double *z)
{
    const perp_row_second *second = perp_rows_second(rows, r);
    double made[12];
    double all[24];
    double G[24];
    size_t body[4] = {pair[0], pair[1]};
    size_t count = 2;
    const double *J = perp_rows_row(rows, r, made);
    double rate = rows->soft[r] * z[r] - rows->bias[r];
    double stiff = rows->soft[r];
    double next = 0.0;

    if (second) {
        memcpy(all, J, 12 * sizeof *J);
        count = impulses_append(second->J, second->on, all, body, count);
        J = all;
    }
    for (size_t s = 0; s < count; s++) {
        system_inverse(world->inverse_mass[body[s]], state->inverse_inertia + 9 * body[s],
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
    for (size_t s = 0; s < count; s++) {
        for (size_t c = 0; c < 6; c++) {
            u[6 * body[s] + c] += G[6 * s + c] * (next - z[r]);
        }
    }
    z[r] = next;
}

static void impulses_block(const perp_rows *rows, const perp_row_block *b,
                           const perp_world *world, const perp_state *state,
                           const perp_contacts *contacts, double *u, double *z)
{
    const bool contact = b->role == PERP_ROLE_CONTACT;
    size_t body[2] = {0, 0};

    system_bodies(b, world, contacts, &body[0], &body[1]);
    for (size_t r = b->first; r < b->first + b->dim; r++) {
        double lo = contact ? 0.0 : rows->lo[r];
        double hi = contact ? INFINITY : rows->hi[r];

        if (contact && r > b->first) {
            hi = contacts->at[b->source].mu * fmax(z[b->first], 0.0);
            lo = -hi;
        }
        impulses_row(rows, r, world, state, body, lo, hi, u, z);
    }
}

void perp_sequential_impulses(const perp_rows *rows, const perp_world *world,
                              const perp_state *state, const perp_contacts *contacts,
                              size_t sweeps, double *u, double *z)
{
    for (size_t sweep = 0; sweep < sweeps; sweep++) {
        for (size_t k = 0; k < rows->block_count; k++) {
            impulses_block(rows, &rows->blocks[k], world, state, contacts, u, z);
        }
    }
}
