/* SPDX-License-Identifier: Apache-2.0
 * view/motion_problem.c: a problem of contacts as a motion of one frame without bodies.
 *
 * Labels give points, normals and friction; z gives the impulses, in the axes of each contact:
 * the normal, then perp_tangents(), in the plane (-n_y, n_x); of a pyramid, as many directions
 * between these as it has. Problems of other programs may have other tangents, which no label
 * gives: of those only the normal part is known, and what the contact does. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rotation.h>
#include <perp/residual.h>

#include "base/file.h"
#include "command/cli/take.h"
#include "command/simulate/touch.h"
#include "command/view/motion_parts.h"

/* A problem and the point at which it is shown. */
typedef struct problem_view {
    const perp_problem *p;
    sim_point x;
    double *own;   /* w, residuals, scales */
    bool judged;   /* whether these are known */
    bool tangents; /* whether the directions of friction are perp's */
    bool plane;
} problem_view;

static bool problem_is_contact(const perp_label *l)
{
    return l->kind == PERP_LABEL_CONTACT && l->placed;
}

/* The blocks of the contact that begins at block k: rows of one number that follow each other. */
static size_t problem_blocks(const perp_problem *p, size_t k)
{
    const perp_label *at = p->labels->at;
    size_t end = k + 1;

    while (p->set->blocks[k].dim == 1 && at[k].index != PERP_LABEL_NO_INDEX &&
           end < p->labels->count && problem_is_contact(&at[end]) &&
           p->set->blocks[end].dim == 1 && at[end].index == at[k].index) {
        end++;
    }
    return end - k;
}

/* Velocities, residuals and scales at z; a global problem is shown without them. */
static perp_status problem_judge(problem_view *v, const double *z, perp_error *err)
{
    const perp_problem *p = v->p;
    double *residual = NULL;
    perp_status status = PERP_OK;

    if (!z || !p->A) {
        return PERP_OK;
    }
    v->own = take(p->n + 2 * p->set->count + 1, sizeof *v->own);
    residual = v->own + p->n;
    perp_operator_apply(p->A, z, v->own);
    for (size_t i = 0; i < p->n; i++) {
        v->own[i] += p->b[i];
    }
    v->x = (sim_point){.p = p, .z = z, .w = v->own, .residual = residual};
    v->x.scale = residual + p->set->count;
    status = perp_residual_blocks(p, z, v->own, residual, residual + p->set->count,
                                  &v->x.beta, err);
    v->judged = status == PERP_OK;
    return status;
}

/* Without velocities the cone alone decides, to six digits. */
static motion_status problem_status_of_impulse(const perp_block *b, double mu,
                                               const double *z)
{
    const double tangent = b->dim == 1   ? 0.0
                           : b->dim == 2 ? fabs(z[1])
                                         : hypot(z[1], z[2]);

    if (!(z[0] > 0.0)) {
        return MOTION_OPEN;
    }
    return b->dim == 1 || tangent >= (1.0 - 1e-6) * mu * z[0] ? MOTION_SLIDING
                                                              : MOTION_STICKING;
}

/* Directions of the rows of a contact behind its normal, 3 each; how many there are. */
static size_t problem_directions(const problem_view *v, const double n[3], size_t rows,
                                 bool pyramid, double *d)
{
    const double turn = 2.0 * acos(-1.0);
    double t1[3], t2[3];

    if (v->plane) {
        const double both[6] = {-n[1], n[0], 0.0, n[1], -n[0], 0.0};

        memcpy(d, both, sizeof both);
        return rows - 1 < 2 ? rows - 1 : 2;
    }
    perp_tangents(n, t1, t2);
    for (size_t h = 0; pyramid && h < rows - 1; h++) {
        const double angle = turn * (double)h / (double)(rows - 1);

        for (size_t i = 0; i < 3; i++) {
            d[3 * h + i] = cos(angle) * t1[i] + sin(angle) * t2[i];
        }
    }
    if (pyramid) {
        return rows - 1;
    }
    memcpy(d, t1, sizeof t1);
    memcpy(d + 3, t2, sizeof t2);
    return rows - 1 < 2 ? rows - 1 : 2; /* rolling moments are no forces */
}

enum { PROBLEM_DIRECTIONS = 64 }; /* of a pyramid, at most */

static void problem_impulse(const problem_view *v, const double *z, const double n[3],
                            size_t rows, bool pyramid, double impulse[3])
{
    double d[3 * PROBLEM_DIRECTIONS] = {0.0};
    size_t count = 0;

    for (size_t i = 0; i < 3; i++) {
        impulse[i] = z[0] * n[i];
    }
    if (v->tangents && rows > 1 && rows <= PROBLEM_DIRECTIONS) {
        count = problem_directions(v, n, rows, pyramid, d);
    }
    for (size_t h = 0; h < count; h++) {
        for (size_t i = 0; i < 3; i++) {
            impulse[i] += z[1 + h] * d[3 * h + i];
        }
    }
}

/* The auxiliary row of a pyramid, by the number of its contact; the number of blocks: none. Rows
 * come in the order of the contacts, so the search goes on where it ended. */
static size_t problem_auxiliary(const perp_problem *p, size_t index, size_t *from)
{
    const perp_labels *l = p->labels;

    for (size_t k = *from; k < l->count; k++) {
        if (l->at[k].kind == PERP_LABEL_AUXILIARY && l->at[k].index == index) {
            *from = k + 1;
            return k;
        }
    }
    return p->set->count;
}

static double problem_friction(const perp_label *l, const perp_block *first,
                               const perp_block *next)
{
    if (l->mu >= 0.0) {
        return l->mu;
    }
    if (first->dim > 1) {
        return first->mu;
    }
    return next && next->kind == PERP_SET_FRICTION ? next->mu : 0.0;
}

/* The contact at block k with `count` blocks. */
static void problem_contact(const problem_view *v, const double *z, size_t k,
                            size_t count, size_t *from, motion_contact *c)
{
    const perp_label *l = &v->p->labels->at[k];
    const perp_block *b = &v->p->set->blocks[k];
    const size_t rows = b->dim > 1 ? b->dim : count;
    const size_t none = v->p->set->count;
    const bool pyramid = count > 1 && b[1].kind != PERP_SET_FRICTION;
    const size_t auxiliary = pyramid ? problem_auxiliary(v->p, l->index, from) : none;

    *c = (motion_contact){.body = {-1, -1}, .gap = l->gap, .residual = NAN};
    memcpy(c->point, l->point, sizeof c->point);
    memcpy(c->normal, l->normal, sizeof c->normal);
    c->mu = problem_friction(l, b, count > 1 ? b + 1 : NULL);
    if (!z) {
        return;
    }
    problem_impulse(v, z + b->first, c->normal, rows, pyramid, c->impulse);
    if (v->judged) {
        c->status =
            (motion_status)sim_touch_of(&v->x, k, (unsigned)rows, c->mu, auxiliary);
        c->residual = sim_touch_residual(&v->x, k, (unsigned)rows, auxiliary);
    } else {
        c->status = problem_status_of_impulse(b, c->mu, z + b->first);
    }
}

/* All contacts lie in the plane z = 0. */
static bool problem_is_plane(const perp_problem *p)
{
    for (size_t k = 0; k < p->labels->count; k++) {
        const perp_label *l = &p->labels->at[k];

        if (problem_is_contact(l) && (l->point[2] != 0.0 || l->normal[2] != 0.0)) {
            return false;
        }
    }
    return true;
}

static size_t problem_count(const perp_problem *p)
{
    const size_t labels = p->labels ? p->labels->count : 0;
    size_t count = 0;

    for (size_t k = 0; k < labels; count++) {
        while (k < labels && !problem_is_contact(&p->labels->at[k])) {
            k++;
        }
        if (k == labels) {
            break;
        }
        k += problem_blocks(p, k);
    }
    return count;
}

/* One frame at the time of the problem. */
static void problem_frame(motion *m, const perp_problem *p, size_t contacts)
{
    m->frame_count = 1;
    m->time = take(1, sizeof *m->time);
    m->step = take(1, sizeof *m->step);
    m->contact_end = take(1, sizeof *m->contact_end);
    m->poses = take(1, sizeof *m->poses);
    m->velocity = take(1, sizeof *m->velocity);
    m->contacts = take(contacts + 1, sizeof *m->contacts);
    if (p->origin && p->origin->timed) {
        m->time[0] = p->origin->time;
        m->dt = p->origin->dt;
    }
    m->step[0] = p->origin ? p->origin->step : 0;
    m->contact_end[0] = contacts;
}

static perp_status problem_fill(motion *m, problem_view *v, const double *z,
                                perp_error *err)
{
    const perp_problem *p = v->p;
    size_t made = 0, from = 0;
    perp_status status = problem_judge(v, z, err);

    for (size_t k = 0; status == PERP_OK && k < p->labels->count;) {
        size_t count = 1;

        if (problem_is_contact(&p->labels->at[k])) {
            count = problem_blocks(p, k);
            problem_contact(v, z, k, count, &from, &m->contacts[made++]);
        }
        k += count;
    }
    free(v->own);
    return status;
}

perp_status motion_of_problem(motion **out, const perp_problem *p, const double *z,
                              const char *title, perp_error *err)
{
    const size_t contacts = problem_count(p);
    const char *source = p->origin && p->origin->source ? p->origin->source : title;
    const char *version = p->origin && p->origin->version ? p->origin->version : "";
    problem_view v = {.p = p, .tangents = strncmp(version, "perp ", 5) == 0};
    motion *m = NULL;
    perp_status status = PERP_OK;

    *out = NULL;
    if (contacts == 0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: no contact has a place: expected labels with points and "
                         "normals, as problems of scenes have them",
                         title);
    }
    m = take(1, sizeof *m);
    m->title = take_made(perp_text_valid(title, strlen(title)));
    m->source = take_made(perp_text_valid(source, strlen(source)));
    v.plane = problem_is_plane(p);
    m->solver = m->coordinates = "";
    m->dimension = v.plane ? 2 : 3;
    m->up[m->dimension - 1] = 1.0;
    problem_frame(m, p, contacts);
    status = problem_fill(m, &v, z, err);
    if (status != PERP_OK) {
        motion_free(m);
        return status;
    }
    *out = m;
    return PERP_OK;
}
