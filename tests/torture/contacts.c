/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/contacts.c: what must hold of contacts and of measured pairs: see
 * collisions.c. */
#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "contacts.h"

/* Of positions and sizes through a pose or two, as a share of their size. */
static const double rounding = 1e-14;
/* Searches end where bounds agree to 1e-10 of the sizes. */
static const double searched = 1e-9;
/* Corners stand for rims and sides for crossed edges within this share of the smaller
 * reach: the largest of such shares that collision/ allows itself, 3e-5 of a radius. */
static const double coarse = 4e-5;
/* Faces of boxes and hulls that lean by up to 8 degrees are clipped all the same, at the
 * loss of the square of that angle: SAT_FLUSH_LOSS. */
static const double flush = 0.01;

void torture_wrong(trial *t, const char *format, ...)
{
    va_list list;

    if (!t->fault[0]) {
        const char *narrow = t->settings.narrow ? t->settings.narrow->name : "usual";
        int n = snprintf(t->fault, sizeof t->fault,
                         "narrow %s, margin %.3g, reduce %u, %s: ", narrow,
                         t->settings.margin, t->settings.reduce, t->when);

        va_start(list, format);
        vsnprintf(t->fault + n, sizeof t->fault - (size_t)n, format, list);
        va_end(list);
    }
}

static double length(const double x[3])
{
    return hypot(hypot(x[0], x[1]), x[2]);
}

static double dot(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

perp_placed torture_place(const perp_world *w, size_t k)
{
    perp_placed p = {.shape = &w->shapes[k]};

    perp_shape_pose(w->start, p.shape, p.R, p.x);
    return p;
}

/* 0 of a plane, which is as large as its place. */
static double reach(const perp_placed *p)
{
    return p->shape->type->unbounded ? 0.0 : p->shape->type->reach(p->shape);
}

/* Of places and of searches. */
static double noise(const perp_placed *a, const perp_placed *b)
{
    return searched * (reach(a) + reach(b)) + rounding * (length(a->x) + length(b->x));
}

double torture_slack(const perp_placed *a, const perp_placed *b)
{
    return noise(a, b) + coarse * fmax(reach(a), reach(b));
}

/* How far from its place a point is found whose depth is known to so much: surfaces bend by
 * that over the root of it and their size. */
static double sideways(double depth, const perp_placed *a, const perp_placed *b)
{
    return 2.0 * sqrt(depth * (reach(a) + reach(b)));
}

/* Whether p lies in the box of the shape, grown; no farther below a plane. */
static bool in_box(const perp_placed *s, unsigned dimension, const double p[3],
                   double grown)
{
    unsigned up = dimension == 2 ? 1 : 2;
    const double n[3] = {s->R[up], s->R[3 + up], s->R[6 + up]};
    bool in = true;
    perp_aabb box;

    if (s->shape->type->unbounded) {
        return dot(n, p) - dot(n, s->x) <= grown;
    }
    s->shape->type->bounds(s->shape, dimension, s->R, s->x, &box);
    for (unsigned k = 0; k < dimension; k++) {
        in = in && p[k] >= box.lo[k] - grown && p[k] <= box.hi[k] + grown;
    }
    return in;
}

static void check_contact(trial *t, const perp_contact *c, bool resolved)
{
    const perp_world *w = t->world;
    const perp_placed a = torture_place(w, (size_t)c->i);
    const perp_placed b = torture_place(w, (size_t)c->j);
    double grown = torture_slack(&a, &b);

    grown += a.shape->type->is_polytope && b.shape->type->is_polytope
                 ? flush * fmin(reach(&a), reach(&b))
                 : sideways(1e-6 * (reach(&a) + reach(&b)), &a, &b);
    if (t->settings.narrow && strcmp(t->settings.narrow->name, "mpr") == 0) {
        return; /* its normals and depths are not the best ones */
    }
    for (int k = 0; k < 3; k++) {
        if (!isfinite(c->point[k]) || !isfinite(c->normal[k]) || !isfinite(c->gap)) {
            torture_wrong(t, "a contact of %d and %d is not finite", c->i, c->j);
            return;
        }
    }
    if (fabs(length(c->normal) - 1.0) > 1e-12) {
        torture_wrong(t, "a normal of %d and %d has length 1 %+.3g", c->i, c->j,
                      length(c->normal) - 1.0);
    }
    if (t->settings.speculative == 0.0 && c->gap > t->settings.margin) {
        torture_wrong(t, "a gap of %d and %d is %g", c->i, c->j, c->gap);
    }
    for (int side = 0; side < 2; side++) {
        const perp_placed *s = side ? &b : &a;
        double p[3];

        for (int k = 0; k < 3; k++) {
            p[k] = c->point[k] + (side - 0.5) * c->gap * c->normal[k];
        }
        if (resolved && !in_box(s, w->dimension, p, grown)) {
            torture_wrong(
                t, "contact of %d and %d, gap %g: its witness %g %g %g is not in %s %d",
                c->i, c->j, c->gap, p[0], p[1], p[2], s->shape->type->name,
                side ? c->j : c->i);
        }
    }
}

bool torture_is_unresolved(const perp_collider *c, size_t i, size_t j)
{
    const perp_collide_report *r = perp_collider_report(c);
    bool found = false;

    for (size_t k = 0; k < r->unresolved_count; k++) {
        const perp_unresolved *u = &r->unresolved[k];

        found = found || (u->shape_a == i && u->shape_b == j);
    }
    return found;
}

/* Bodies have a shape each, of the same number. */
void torture_check_contacts(trial *t, const perp_collider *from, const perp_contacts *all)
{
    for (size_t k = 0; k < all->count; k++) {
        const perp_contact *c = &all->at[k];

        check_contact(t, c, !torture_is_unresolved(from, (size_t)c->i, (size_t)c->j));
        if (c->key == 0 || !(c->i < c->j)) {
            torture_wrong(t, "contact of %d and %d with key %llx", c->i, c->j,
                          (unsigned long long)c->key);
        }
        if (k > 0 && (c[-1].i > c->i || (c[-1].i == c->i && c[-1].j > c->j))) {
            torture_wrong(t, "%d and %d come behind %d and %d", c->i, c->j, c[-1].i,
                          c[-1].j);
        }
        for (size_t l = 0; l < k; l++) {
            if (all->at[l].key == c->key) {
                torture_wrong(t, "a key of %d and %d twice", c->i, c->j);
            }
        }
    }
}

const perp_contact *torture_deepest(const perp_contacts *all, size_t i, size_t j)
{
    const perp_contact *best = NULL;

    for (size_t k = 0; k < all->count; k++) {
        const perp_contact *c = &all->at[k];

        if (c->i == (int32_t)i && c->j == (int32_t)j && (!best || c->gap < best->gap)) {
            best = c;
        }
    }
    return best;
}

/* An answer alone: its numbers, its witnesses, and what is left when b moves by it. */
static void check_answer(trial *t, const perp_narrow_type *type, const perp_placed *a,
                         const perp_placed *b, const perp_proximity *p)
{
    const perp_narrow_settings s = {.dimension = t->world->dimension};
    double near = noise(a, b) + (strcmp(p->ran, "mpr") ? p->tolerance : 0.0);
    double grown =
        strcmp(p->ran, "mpr") ? sideways(p->tolerance, a, b) : fmax(-p->gap, 0.0);
    double across[3];
    perp_placed moved = *b;
    perp_proximity after;

    for (int k = 0; k < 3; k++) {
        across[k] = p->p_b[k] - p->p_a[k] - p->gap * p->normal[k];
        moved.x[k] -= p->gap * p->normal[k];
    }
    if (p->gap == INFINITY && strcmp(p->ran, "mesh") == 0) {
        return; /* wholly behind it */
    }
    if (!isfinite(p->gap) || !(fabs(length(p->normal) - 1.0) <= 1e-12) ||
        !(length(across) <= 2.0 * sqrt(near * fmax(near, reach(a) + reach(b))))) {
        torture_wrong(
            t, "%s: gap %g of %s and %s, normal of length 1 %+.2g, witnesses off by %g",
            type->name, p->gap, a->shape->type->name, b->shape->type->name,
            length(p->normal) - 1.0, length(across));
    }
    if (p->converged && (!in_box(a, s.dimension, p->p_a, near + grown) ||
                         !in_box(b, s.dimension, p->p_b, near + grown))) {
        torture_wrong(t, "%s: gap %g, witnesses not in the boxes of %s and %s",
                      type->name, p->gap, a->shape->type->name, b->shape->type->name);
    }
    if (a->shape->type->is_mesh || b->shape->type->is_mesh || !p->converged ||
        perp_proximity_find(NULL, a, &moved, &s, &after, NULL) != PERP_OK) {
        return;
    }
    if (!(fabs(after.gap) <= 2.0 * near + after.tolerance)) {
        torture_wrong(t, "%s: gap %g of %s and %s, moved by it %g (%s)", type->name,
                      p->gap, a->shape->type->name, b->shape->type->name, after.gap,
                      after.ran);
    }
}

/* All types that take the pair, and the usual one in the other order. */
static void check_types(trial *t, const perp_placed *a, const perp_placed *b,
                        const perp_proximity *usual)
{
    const perp_narrow_settings s = {.dimension = t->world->dimension};
    const perp_narrow_type *const *types = perp_narrow_types(NULL);

    for (size_t k = 0; types[k]; k++) {
        bool portal = strcmp(types[k]->name, "mpr") == 0;
        double near = noise(a, b) + usual->tolerance;
        perp_proximity p;
        perp_proximity q;

        if (perp_proximity_find(types[k], a, b, &s, &p, NULL) != PERP_OK ||
            perp_proximity_find(types[k], b, a, &s, &q, NULL) != PERP_OK) {
            continue;
        }
        check_answer(t, types[k], a, b, &p);
        if (!p.converged || !q.converged || !usual->converged) {
            continue;
        }
        if (p.gap == usual->gap && q.gap == p.gap) {
            continue; /* INFINITY may be meant */
        }
        near += portal ? 0.0 : fmax(p.tolerance, q.tolerance);
        if (!(p.gap <= usual->gap + near) || (!portal && !(p.gap >= usual->gap - near))) {
            torture_wrong(t, "%s and %s: gap %.12g by %s, %.12g by %s",
                          a->shape->type->name, b->shape->type->name, p.gap,
                          types[k]->name, usual->gap, usual->ran);
        }
        if (!portal && !(fabs(p.gap - q.gap) <= near)) {
            torture_wrong(t, "%s and %s: gap %.12g by %s, %.12g in the other order",
                          a->shape->type->name, b->shape->type->name, p.gap,
                          types[k]->name, q.gap);
        }
    }
}

/* A closed mesh of a box against the box: the same distance, and none that touches or
 * overlaps from outside is lost. */
static void check_mesh(trial *t, const perp_placed *mesh, const perp_placed *b,
                       const perp_proximity *p)
{
    const perp_narrow_settings s = {.dimension = 3};
    const double *hi = mesh->shape->mesh->hi;
    const perp_shape box = {.type = perp_shape_type_find("box"),
                            .size = {hi[0], hi[1], hi[2]}};
    perp_placed a = *mesh;
    double near = 2.0 * noise(mesh, b);
    bool outside = false;
    double away[3];
    perp_proximity q;

    a.shape = &box;
    if (!mesh->shape->mesh->closed ||
        perp_proximity_find(NULL, &a, b, &s, &q, NULL) != PERP_OK || !q.converged) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        away[k] = b->x[k] - a.x[k];
    }
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {a.R[k], a.R[3 + k], a.R[6 + k]};

        outside = outside || fabs(dot(axis, away)) > hi[k] + near;
    }
    near += q.tolerance + p->tolerance;
    outside = outside && q.gap > -0.05 * reach(b); /* deeper ones may come from behind */
    if (q.gap > near ? !(fabs(p->gap - q.gap) <= near) : outside && !(p->gap <= near)) {
        torture_wrong(t, "mesh and %s: gap %.12g, of the box %.12g by %s",
                      b->shape->type->name, p->gap, q.gap, q.ran);
    }
}

/* The contacts of two shapes against what is measured. */
void torture_check_pair(trial *t, const perp_contacts *all, size_t i, size_t j)
{
    const perp_world *w = t->world;
    const perp_placed a = torture_place(w, i);
    const perp_placed b = torture_place(w, j);
    const perp_narrow_settings s = {.dimension = w->dimension};
    const perp_narrow_type *type = perp_narrow_choose(t->settings.narrow, a.shape->type,
                                                      b.shape->type, w->dimension);
    const perp_contact *c = torture_deepest(all, i, j);
    double near = noise(&a, &b);
    perp_proximity p;

    if (!type || perp_proximity_find(type, &a, &b, &s, &p, NULL) != PERP_OK) {
        return;
    }
    if (a.shape->type->is_mesh && b.shape->type->is_mesh &&
        !(isfinite(p.gap) && p.gap > near)) {
        return; /* two meshes that overlap may lose contacts: docs/scenes.md */
    }
    t->at->pairs++;
    if (!t->settings.narrow) {
        check_types(t, &a, &b, &p);
    }
    if (a.shape->type->is_mesh) {
        check_mesh(t, &a, &b, &p);
    } else if (b.shape->type->is_mesh) {
        check_mesh(t, &b, &a, &p);
    }
    near += isfinite(p.tolerance) && strcmp(p.ran, "mpr") ? p.tolerance : 0.0;
    near += (strcmp(p.ran, "sat") ? coarse : flush) * (reach(&a) > 0.0 && reach(&b) > 0.0
                                                           ? fmin(reach(&a), reach(&b))
                                                           : reach(&a) + reach(&b));
    if (strcmp(p.ran, "mpr") == 0 && c) {
        return; /* along its normal, which is not the best one, features differ */
    }
    if (c && (!(c->gap >= p.gap - near) || (p.converged && !(c->gap <= p.gap + near)))) {
        torture_wrong(
            t,
            "%s %zu and %s %zu: gap %.12g of the deepest contact, measured %.12g by %s",
            a.shape->type->name, i, b.shape->type->name, j, c->gap, p.gap, p.ran);
    }
    if (!c && p.gap <= t->settings.margin - near) {
        torture_wrong(t, "%s %zu and %s %zu: no contact, measured %.12g by %s",
                      a.shape->type->name, i, b.shape->type->name, j, p.gap, p.ran);
    }
}
