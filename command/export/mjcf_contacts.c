/* SPDX-License-Identifier: Apache-2.0
 * export/mjcf_contacts.c: friction and pairs of contacts.
 *
 * MuJoCo takes the larger friction of two surfaces, or that of the surface with the higher
 * priority. So the values of the materials must reproduce those of all pairs that may touch.
 * Without priorities the value of a material must be its smallest one among these pairs. Else
 * materials that meet all others with one value are taken out, one after the other, each with a
 * higher priority than those that remain. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <perp/dynamics/shape.h>

#include "command/cli/take.h"
#include "command/export/mjcf_parts.h"

static void contacts_use(mjcf *m, const perp_shape *shape, bool moves)
{
    mjcf_surface *s = &m->surface[shape->material];

    for (size_t k = 0; k < shape->part_count; k++) {
        contacts_use(m, &shape->parts[k], moves);
    }
    if (shape->part_count == 0) {
        s->used = true;
        s->moves = s->moves || moves;
    }
}

/* Whether two materials meet on shapes of which one moves. */
static bool contacts_meet(const mjcf *m, size_t a, size_t b)
{
    return m->surface[a].used && m->surface[b].used &&
           (m->surface[a].moves || m->surface[b].moves);
}

static double contacts_mu(const mjcf *m, size_t a, size_t b)
{
    perp_material both;

    perp_world_combine(m->w, (int32_t)a, (int32_t)b, &both);
    return m->scene->scheme.model == PERP_MODEL_FRICTIONLESS ? 0.0 : both.mu;
}

/* Of what MuJoCo's contacts do not have. */
static void contacts_check_pair(mjcf *m, size_t a, size_t b)
{
    const perp_material *x = &m->w->materials[a];
    const perp_material *y = &m->w->materials[b];
    perp_material both;

    perp_world_combine(m->w, (int32_t)a, (int32_t)b, &both);
    if (both.restitution > 0.0) {
        mjcf_refuse(m, "materials \"%s\" and \"%s\" have restitution %g, expected 0",
                    x->name, y->name, both.restitution);
    } else if (both.mu_rolling > 0.0) {
        mjcf_refuse(m, "materials \"%s\" and \"%s\" have rolling friction, expected none",
                    x->name, y->name);
    } else if (both.cfm > 0.0) {
        mjcf_refuse(m, "materials \"%s\" and \"%s\" have cfm %g, expected 0", x->name,
                    y->name, both.cfm);
    }
}

/* The least and the largest friction of a material with those of a lower priority and itself. */
static void contacts_range(const mjcf *m, size_t a, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t b = 0; b < m->w->material_count; b++) {
        if (contacts_meet(m, a, b) && m->surface[b].priority == 0) {
            *least = fmin(*least, contacts_mu(m, a, b));
            *most = fmax(*most, contacts_mu(m, a, b));
        }
    }
}

/* Materials without a priority: of two the larger value counts. */
static void contacts_assign(mjcf *m)
{
    for (size_t a = 0; a < m->w->material_count; a++) {
        double least = 0.0;
        double most = 0.0;

        if (m->surface[a].priority == 0) {
            contacts_range(m, a, &least, &most);
            m->surface[a].mu = isfinite(least) ? least : 0.0;
        }
    }
}

static void contacts_prefer(mjcf *m)
{
    int priority = (int)m->w->material_count;

    for (size_t a = 0; a < m->w->material_count; a++) {
        double least = 0.0;
        double most = 0.0;

        if (m->surface[a].priority > 0 || priority == 1) {
            continue;
        }
        contacts_range(m, a, &least, &most);
        if (least == most) {
            m->surface[a].mu = least;
            m->surface[a].priority = --priority;
            a = SIZE_MAX; /* others may have become alike */
        }
    }
}

/* The first pair of materials with another friction than perp's; false: there is none. */
static bool contacts_differ(const mjcf *m, size_t pair[2], double *taken)
{
    size_t count = m->w->material_count;

    for (size_t k = 0; k < count * count; k++) {
        const mjcf_surface *a = &m->surface[k / count];
        const mjcf_surface *b = &m->surface[k % count];

        *taken = a->priority == b->priority  ? fmax(a->mu, b->mu)
                 : a->priority > b->priority ? a->mu
                                             : b->mu;
        pair[0] = k / count;
        pair[1] = k % count;
        if (contacts_meet(m, pair[0], pair[1]) &&
            fabs(*taken - contacts_mu(m, pair[0], pair[1])) > 1e-15) {
            return true;
        }
    }
    return false;
}

static void contacts_friction(mjcf *m)
{
    size_t count = m->w->material_count;
    size_t pair[2];
    double taken = 0.0;

    for (size_t k = 0; k < m->w->shape_count; k++) {
        contacts_use(m, &m->w->shapes[k], mjcf_dynamic(m, (size_t)m->w->shapes[k].body));
    }
    for (size_t k = 0; k < count * count && m->status == PERP_OK; k++) {
        if (contacts_meet(m, k / count, k % count)) {
            contacts_check_pair(m, k / count, k % count);
        }
    }
    contacts_assign(m);
    if (contacts_differ(m, pair, &taken)) {
        contacts_prefer(m);
        contacts_assign(m);
    }
    if (contacts_differ(m, pair, &taken)) {
        mjcf_refuse(
            m,
            "materials \"%s\" and \"%s\" have friction %g; with priorities and the "
            "larger value of two surfaces MuJoCo has %g: give the scene \"combine\": "
            "{\"friction\": \"max\"}, or materials with one friction",
            m->w->materials[pair[0]].name, m->w->materials[pair[1]].name,
            contacts_mu(m, pair[0], pair[1]), taken);
    }
}

/* Shapes with the same group and mask are one class, with one bit. */
static void contacts_classes(mjcf *m)
{
    for (size_t k = 0; k < m->w->shape_count; k++) {
        const perp_shape *s = &m->w->shapes[k];
        size_t at = 0;

        while (at < m->class_count &&
               (m->groups[at] != s->group || m->masks[at] != s->mask)) {
            at++;
        }
        if (at == m->class_count && at == 31) {
            mjcf_refuse(m, "shapes have more than 31 different groups and masks");
            return;
        }
        m->groups[at] = s->group;
        m->masks[at] = s->mask;
        m->class_count += at == m->class_count;
        m->class_of[k] = (uint32_t)at;
    }
    for (size_t a = 0; a < m->class_count; a++) {
        for (size_t b = 0; b < m->class_count; b++) {
            if ((m->groups[a] & m->masks[b]) && (m->groups[b] & m->masks[a])) {
                m->meets[a] |= 1u << b;
            }
        }
    }
}

void mjcf_contacts(mjcf *m)
{
    contacts_friction(m);
    contacts_classes(m);
}

/* Two bodies without contacts, the smaller number first, and the joint between them. */
typedef struct contacts_pair {
    int32_t a, b;
    size_t joint;
} contacts_pair;

static int contacts_order(const void *p, const void *q)
{
    const contacts_pair *x = p;
    const contacts_pair *y = q;

    return x->a != y->a   ? (x->a > y->a) - (x->a < y->a)
           : x->b != y->b ? (x->b > y->b) - (x->b < y->b)
                          : (x->joint > y->joint) - (x->joint < y->joint);
}

static int contacts_by_joint(const void *p, const void *q)
{
    const contacts_pair *x = p;
    const contacts_pair *y = q;

    return (x->joint > y->joint) - (x->joint < y->joint);
}

/* Each pair once, with its first joint: MuJoCo refuses a pair that is given twice. */
static size_t contacts_pairs(const mjcf *m, contacts_pair *pair)
{
    size_t count = 0, left = 0;

    for (size_t k = 0; k < m->w->joint_count; k++) {
        const perp_joint *joint = &m->w->joints[k];
        const bool turned = joint->i > joint->j;

        if (m->use[k] != MJCF_ABSENT && !joint->collide) {
            pair[count++] = (contacts_pair){turned ? joint->j : joint->i,
                                            turned ? joint->i : joint->j, k};
        }
    }
    qsort(pair, count, sizeof *pair, contacts_order);
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || pair[k].a != pair[k - 1].a || pair[k].b != pair[k - 1].b) {
            pair[left++] = pair[k];
        }
    }
    qsort(pair, left, sizeof *pair, contacts_by_joint);
    return left;
}

void mjcf_excludes(mjcf *m)
{
    contacts_pair *pair = take(m->w->joint_count + 1, sizeof *pair);
    size_t count = pair ? contacts_pairs(m, pair) : 0;

    for (size_t k = 0; k < count; k++) {
        const perp_joint *joint = &m->w->joints[pair[k].joint];

        fprintf(m->f, "%s    <exclude body1=\"%s\" body2=\"%s\"/>\n",
                k > 0 ? "" : "  <contact>\n", m->name[joint->i], m->name[joint->j]);
    }
    fputs(count > 0 ? "  </contact>\n" : "", m->f);
    free(pair);
}
