/* SPDX-License-Identifier: Apache-2.0
 * step/reach.c: which contacts can act in a step.
 *
 * A collider keeps contacts that stay open behind the others: at the velocities of the start and under
 * gravity their gap does not close. Loads, springs, motors and impacts may close it all the same:
 * with the displacement dt v of the bodies, first that of the free motion, then that of the
 * solution, a contact with gap + dt J_n v < 0 joins the others, in the second case for another solution.
 *
 * A contact with a gap that the free motion closes along its normal, but whose shapes pass each other
 * without touching, is open as well: it must neither support nor rebound, unless the solution
 * makes the shapes touch. */
#include <config.h>

#include "collision/collider.h"
#include "problem/parts.h"
#include "step/integrate.h"
#include "step/stepper.h"

/* A gap below this share of the margin counts as touching. */
static const double near_share = 1e-3;

/* dt times the velocity with which body k moves in the step that ends with velocities `end`. */
static void reach_move(const step_formulation *f, const double *end, int32_t k,
                       double move[6])
{
    const double share = integrate_end_share(f->scheme);
    const double *u = perp_body_velocity(f->state, (size_t)k);

    for (size_t c = 0; c < 6; c++) {
        move[c] = f->scheme->dt * ((1.0 - share) * u[c] + share * end[6 * (size_t)k + c]);
    }
}

/* Whether the gap is closed along the normal. */
static bool reach_closes(const step_formulation *f, const perp_contact *c,
                         const double move_i[6], const double move_j[6])
{
    double J[12];

    contact_row_of(f->state, c, c->normal, J);
    return c->gap + perp_row_rate(J, move_i, move_j) < 0.0;
}

/* Whether the shapes of a contact that the motion closes along its normal touch on the way. */
static bool reach_meets(const step_formulation *f, const perp_contact *c,
                        const double *end, bool otherwise)
{
    const double near = near_share * f->scheme->margin;
    double move_i[6];
    double move_j[6];

    reach_move(f, end, c->i, move_i);
    reach_move(f, end, c->j, move_j);
    if (!reach_closes(f, c, move_i, move_j)) {
        return otherwise;
    }
    return !(c->gap > near) || collide_sweep(f->world, f->state, c, move_i, move_j, near);
}

bool step_take_open(const step_formulation *f, const double *end)
{
    perp_contacts *list = f->contacts;
    const size_t last = list->count + list->open;
    bool any = false;

    for (size_t k = list->count; k < last; k++) {
        const perp_contact c = list->at[k];

        if (reach_meets(f, &c, end, false)) {
            list->at[k] = list->at[list->count];
            list->at[list->count] = c;
            list->at[list->count++].open = false;
            list->open--;
            any = true;
        }
    }
    return any;
}

/* Move contacts whose shapes pass each other in the free motion behind the others. */
static void reach_open_passing(const step_formulation *f)
{
    const double near = near_share * f->scheme->margin;
    perp_contacts *list = f->contacts;

    for (size_t k = 0; k < list->count;) {
        perp_contact c = list->at[k];

        if (c.gap > near && !reach_meets(f, &c, f->motion->u, true)) {
            c.open = true;
            perp_contacts_remove(list, k);
            list->at[list->count + list->open++] = c;
        } else {
            k++;
        }
    }
}

void step_choose_contacts(const step_formulation *f)
{
    if (!f->chosen) {
        step_take_open(f, f->motion->u);
        reach_open_passing(f);
    }
}
