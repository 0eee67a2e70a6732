/* SPDX-License-Identifier: Apache-2.0
 * simulate/surprises.c: overlaps, open joints and forces that are too stiff at the start, spins
 * that are too fast for dt, solvers that solve nothing. */
#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <perp/dynamics/collide.h>
#include <perp/dynamics/force.h>
#include <perp/dynamics/joint.h>
#include <perp/dynamics/shape.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/simulate/surprises.h"

static const double overlap_share = 1e-2; /* of the size of the smaller body */
static const double apart_share =
    1e-4; /* of it, or rad: more than rounded digits of a file */
static const double most_turn = 0.5; /* rad per step */

static void surprises_add(sim_surprises *s, const char *format, ...) PERP_PRINTF(2, 3);

static void surprises_add(sim_surprises *s, const char *format, ...)
{
    va_list args;

    if (s->count < SIM_SURPRISES) { /* one per kind, and there are five */
        va_start(args, format);
        vsnprintf(s->line[s->count++], SIM_SURPRISE_LENGTH, format, args);
        va_end(args);
    }
}

/* The diameters of the largest shapes of the bodies; 0 without shapes. On the heap. */
static double *surprises_sizes(const perp_world *w)
{
    double *size = take(w->body_count + 1, sizeof *size);

    for (size_t k = 0; k < w->shape_count; k++) {
        const perp_shape *shape = &w->shapes[k];

        size[shape->body] = fmax(size[shape->body], 2.0 * shape->type->reach(shape));
    }
    return size;
}

/* Of the smaller body; 1 where neither has a size. */
static double pair_size(const double *size, int32_t i, int32_t j)
{
    double a = size[i] > 0.0 ? size[i] : INFINITY, b = size[j] > 0.0 ? size[j] : INFINITY;

    return isfinite(fmin(a, b)) ? fmin(a, b) : 1.0;
}

/* ", 3 more pairs overlap" */
static void surprises_more(char text[64], size_t count, const char *one, const char *many)
{
    text[0] = '\0';
    if (count > 1) {
        snprintf(text, 64, ", and %zu more %s", count - 1, count == 2 ? one : many);
    }
}

/* Is this overlap one of those that count? The contacts of a pair follow each other. */
static bool overlap_counts(const double *size, const perp_contact *c, double slop)
{
    return c->gap < -slop && -c->gap > overlap_share * pair_size(size, c->i, c->j);
}

static perp_status surprises_overlaps(sim_surprises *s, const perp_world *w,
                                      const double *size, double slop, perp_error *err)
{
    perp_contacts contacts = {0};
    const perp_contact *worst = NULL, *last = NULL;
    size_t pairs = 0;
    char more[64];
    perp_status status = perp_collide(w, w->start, 0.0, &contacts, err);

    for (size_t k = 0; status == PERP_OK && k < contacts.count; k++) {
        const perp_contact *c = &contacts.at[k];

        if (overlap_counts(size, c, slop)) {
            pairs += !last || last->i != c->i || last->j != c->j;
            worst = !worst || c->gap < worst->gap ? c : worst;
            last = c;
        }
    }
    if (worst) {
        /* The normal is from i to j; what cannot be pushed stays where it is. */
        const bool second = w->motion[worst->j] == PERP_MOTION_DYNAMIC;
        const double *n = worst->normal, sign = second ? 1.0 : -1.0;

        surprises_more(more, pairs, "pair", "pairs");
        surprises_add(
            s,
            "%s starts %.3g m inside %s%s: move it along (%.3g, %.3g, %.3g), or "
            "let the two not collide (group and mask)",
            w->name[second ? worst->j : worst->i], -worst->gap,
            w->name[second ? worst->i : worst->j], more, sign * n[0] + 0.0,
            sign * n[1] + 0.0, sign * n[2] + 0.0);
    }
    perp_contacts_clear(&contacts);
    return status;
}

static void surprises_joints(sim_surprises *s, const perp_world *w, const double *size)
{
    const perp_joint *worst = NULL;
    double worst_length = 0.0, worst_angle = 0.0, most = 0.0;
    size_t count = 0;
    char more[64];

    for (size_t k = 0; k < w->joint_count; k++) {
        const perp_joint *j = &w->joints[k];
        double length = 0.0, angle = 0.0, error = 0.0;

        perp_joint_drift(j, w, w->start, &length, &angle);
        error = fmax(length / pair_size(size, j->i, j->j), angle);
        count += error > apart_share;
        if (error > fmax(most, apart_share)) {
            worst = j;
            worst_length = length;
            worst_angle = angle;
            most = error;
        }
    }
    if (worst) {
        surprises_more(more, count, "joint", "joints");
        surprises_add(s,
                      "joint %s of %s and %s starts apart, by %.3g m and %.3g rad%s: "
                      "place the bodies "
                      "so that its anchors, axes and limits agree",
                      worst->name, w->name[worst->i], w->name[worst->j], worst_length,
                      worst_angle, more);
    }
}

/* "spring-0 of floor and box" */
static void force_text(const perp_world *w, size_t k, char text[160])
{
    const perp_force *f = &w->forces[k];

    snprintf(text, 160, "%s of %.40s%s%.40s", f->name[0] ? f->name : f->type->name,
             w->name[f->i], f->j >= 0 ? " and " : "", f->j >= 0 ? w->name[f->j] : "");
}

static perp_status surprises_forces(sim_surprises *s, const perp_world *w,
                                    const perp_scheme *scheme, perp_error *err)
{
    const char *name = perp_integrator_names[scheme->integrator];
    char text[160];
    double most = 0.0;
    size_t force = 0;
    perp_status status = perp_stable_dt(w, w->start, scheme, &most, &force, err);

    if (status != PERP_OK || !isfinite(most)) {
        return status;
    }
    force_text(w, force, text);
    if (most > 0.0) {
        surprises_add(s,
                      "%s is stiffer than %s follows: stable up to dt %.5g s; use --dt "
                      "%.2g or less, or --integrator implicit",
                      text, name, most, 0.95 * most);
    } else {
        surprises_add(s,
                      "%s oscillates, which grows under %s at every dt; use another "
                      "integrator",
                      text, name);
    }
    return PERP_OK;
}

perp_status sim_surprises_start(sim_surprises *s, const perp_world *world,
                                const perp_scheme *scheme, perp_error *err)
{
    double *size = surprises_sizes(world);
    perp_status status = PERP_OK;

    status = surprises_overlaps(s, world, size, scheme->slop, err);
    surprises_joints(s, world, size);
    if (status == PERP_OK) {
        status = surprises_forces(s, world, scheme, err);
    }
    free(size);
    sim_surprises_spin(s, world, world->start, scheme->dt, 0);
    return status;
}

void sim_surprises_spin(sim_surprises *s, const perp_world *world,
                        const perp_state *state, double dt, size_t step)
{
    size_t worst = 0, count = 0;
    double most = 0.0;
    char more[64];

    for (size_t k = 0; !s->spun && k < world->body_count; k++) {
        const double *omega = state->u + 6 * k + 3;
        double turn = dt * hypot(hypot(omega[0], omega[1]), omega[2]);

        count += turn > most_turn;
        worst = turn > most ? k : worst;
        most = fmax(most, turn);
    }
    if (most > most_turn && isfinite(most)) {
        s->spun = true;
        surprises_more(more, count, "body", "bodies");
        surprises_add(s,
                      "%s turns by %.3g rad per step from step %zu on%s: a step follows "
                      "%g rad; use --dt %.2g or less",
                      world->name[worst], most, step, more, most_turn,
                      dt * most_turn / most);
    }
}

void sim_surprises_end(sim_surprises *s, const char *solver, double steps, double solved)
{
    if (steps > 0.0 && solved == 0.0) {
        surprises_add(s,
                      "%s solved none of the %.0f step%s: use --solver auto, more "
                      "iterations or a larger --tolerance",
                      solver, steps, perp_plural((size_t)steps));
    }
}
