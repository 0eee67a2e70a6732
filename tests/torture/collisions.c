/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/collisions.c: contacts of thousands of small worlds that are hard on
 * purpose.
 *
 *     collisions COUNT [SEED [CASE]]     without arguments: a test of 300, speaks TAP
 *
 * Cases run in a process of their own, so that a signal is counted and not the end. Each
 * world is searched with every broad and every narrow type. Wrong is a failure but for
 * pairs that nothing takes; contacts that depend on the broad phase or on what a collider
 * remembers; a number that is not finite, a normal that is not of length 1, a gap beyond
 * the margin, a key that is 0 or twice, an order of pairs that is none, a witness outside
 * the shape's box; a deepest contact that is not what perp_proximity_find finds, in one
 * order of the shapes or the other; types that differ where they are exact; shapes that
 * still overlap when moved apart by their depth; a pair that was not resolved and whose
 * scene does not say so again. Exit status 1 if there was one. */
#include <config.h>

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worlds.h"

enum { PATIENCE = 60, LINES_MOST = 60, TEST_COUNT = 300, TYPES_MOST = 8 };

/* Of positions and sizes through a pose or two, as a share of their size. */
static const double rounding = 1e-14;
/* Searches end where bounds agree to 1e-10 of the sizes. */
static const double searched = 1e-9;
/* Corners stand for rims and sides for crossed edges within this share of the smaller
 * reach: the largest of such shares that narrow/ allows itself, 3e-5 of a radius. */
static const double coarse = 4e-5;
/* Faces of boxes and hulls that lean by up to 8 degrees are clipped all the same, at the
 * loss of the square of that angle: SAT_FLUSH_LOSS. */
static const double flush = 0.01;

/* What the worker has done, shared with its parent. */
typedef struct progress {
    size_t index;
    bool done;
    size_t runs, contacts, pairs, unsuitable, unresolved, wrong;
} progress;

/* A case at work. */
typedef struct trial {
    uint64_t seed;
    size_t index;
    torture_world told;
    perp_world *world;
    perp_collide_settings settings;
    progress *at;
    const char *when; /* of its world */
    char fault[400];
} trial;

/* The first one is kept. */
static void wrong(trial *t, const char *format, ...) PERP_PRINTF(2, 3);
static void wrong(trial *t, const char *format, ...)
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

static perp_placed place(const perp_world *w, size_t k)
{
    perp_placed p = {.shape = &w->shapes[k]};

    perp_shape_pose(w, p.shape, p.R, p.x);
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
    const perp_placed a = place(w, (size_t)c->i);
    const perp_placed b = place(w, (size_t)c->j);
    double grown = noise(&a, &b) + coarse * fmax(reach(&a), reach(&b));

    grown += a.shape->type->has_corners && b.shape->type->has_corners
                 ? flush * fmin(reach(&a), reach(&b))
                 : sideways(1e-6 * (reach(&a) + reach(&b)), &a, &b);
    if (t->settings.narrow && strcmp(t->settings.narrow->name, "mpr") == 0) {
        grown += fmax(-c->gap, 0.0); /* its depths are too large */
    }
    for (int k = 0; k < 3; k++) {
        if (!isfinite(c->point[k]) || !isfinite(c->normal[k]) || !isfinite(c->gap)) {
            wrong(t, "a contact of %d and %d is not finite", c->i, c->j);
            return;
        }
    }
    if (fabs(length(c->normal) - 1.0) > 1e-12) {
        wrong(t, "a normal of %d and %d has length 1 %+.3g", c->i, c->j,
              length(c->normal) - 1.0);
    }
    if (t->settings.speculative == 0.0 && c->gap > t->settings.margin) {
        wrong(t, "a gap of %d and %d is %g", c->i, c->j, c->gap);
    }
    for (int side = 0; side < 2; side++) {
        const perp_placed *s = side ? &b : &a;
        double p[3];

        for (int k = 0; k < 3; k++) {
            p[k] = c->point[k] + (side - 0.5) * c->gap * c->normal[k];
        }
        if (resolved && !in_box(s, w->dimension, p, grown)) {
            wrong(t, "contact of %d and %d, gap %g: its witness %g %g %g is not in %s %d",
                  c->i, c->j, c->gap, p[0], p[1], p[2], s->shape->type->name,
                  side ? c->j : c->i);
        }
    }
}

static bool is_unresolved(const perp_collider *c, size_t i, size_t j)
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
static void check_contacts(trial *t, const perp_collider *from, const perp_contacts *all)
{
    for (size_t k = 0; k < all->count; k++) {
        const perp_contact *c = &all->at[k];

        check_contact(t, c, !is_unresolved(from, (size_t)c->i, (size_t)c->j));
        if (c->key == 0 || !(c->i < c->j)) {
            wrong(t, "contact of %d and %d with key %llx", c->i, c->j,
                  (unsigned long long)c->key);
        }
        if (k > 0 && (c[-1].i > c->i || (c[-1].i == c->i && c[-1].j > c->j))) {
            wrong(t, "%d and %d come behind %d and %d", c->i, c->j, c[-1].i, c[-1].j);
        }
        for (size_t l = 0; l < k; l++) {
            if (all->at[l].key == c->key) {
                wrong(t, "a key of %d and %d twice", c->i, c->j);
            }
        }
    }
}

static const perp_contact *deepest(const perp_contacts *all, size_t i, size_t j)
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
        wrong(t, "%s: gap %g of %s and %s, normal of length 1 %+.2g, witnesses off by %g",
              type->name, p->gap, a->shape->type->name, b->shape->type->name,
              length(p->normal) - 1.0, length(across));
    }
    if (p->converged && (!in_box(a, s.dimension, p->p_a, near + grown) ||
                         !in_box(b, s.dimension, p->p_b, near + grown))) {
        wrong(t, "%s: gap %g, witnesses not in the boxes of %s and %s", type->name,
              p->gap, a->shape->type->name, b->shape->type->name);
    }
    if (a->shape->type->hollow || b->shape->type->hollow || !p->converged ||
        perp_proximity_find(NULL, a, &moved, &s, &after, NULL) != PERP_OK) {
        return;
    }
    if (!(fabs(after.gap) <= 2.0 * near + after.tolerance)) {
        wrong(t, "%s: gap %g of %s and %s, moved by it %g (%s)", type->name, p->gap,
              a->shape->type->name, b->shape->type->name, after.gap, after.ran);
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
            wrong(t, "%s and %s: gap %.12g by %s, %.12g by %s", a->shape->type->name,
                  b->shape->type->name, p.gap, types[k]->name, usual->gap, usual->ran);
        }
        if (!portal && !(fabs(p.gap - q.gap) <= near)) {
            wrong(t, "%s and %s: gap %.12g by %s, %.12g in the other order",
                  a->shape->type->name, b->shape->type->name, p.gap, types[k]->name,
                  q.gap);
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
        wrong(t, "mesh and %s: gap %.12g, of the box %.12g by %s", b->shape->type->name,
              p->gap, q.gap, q.ran);
    }
}

/* The contacts of two shapes against what is measured. */
static void check_pair(trial *t, const perp_contacts *all, size_t i, size_t j)
{
    const perp_world *w = t->world;
    const perp_placed a = place(w, i);
    const perp_placed b = place(w, j);
    const perp_narrow_settings s = {.dimension = w->dimension};
    const perp_narrow_type *type = perp_narrow_choose(t->settings.narrow, a.shape->type,
                                                      b.shape->type, w->dimension);
    const perp_contact *c = deepest(all, i, j);
    double near = noise(&a, &b);
    perp_proximity p;

    if (!type || perp_proximity_find(type, &a, &b, &s, &p, NULL) != PERP_OK) {
        return;
    }
    t->at->pairs++;
    if (!t->settings.narrow) {
        check_types(t, &a, &b, &p);
    }
    if (a.shape->type->hollow) {
        check_mesh(t, &a, &b, &p);
    } else if (b.shape->type->hollow) {
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
        wrong(t,
              "%s %zu and %s %zu: gap %.12g of the deepest contact, measured %.12g by %s",
              a.shape->type->name, i, b.shape->type->name, j, c->gap, p.gap, p.ran);
    }
    if (!c && p.gap <= t->settings.margin - near) {
        wrong(t, "%s %zu and %s %zu: no contact, measured %.12g by %s",
              a.shape->type->name, i, b.shape->type->name, j, p.gap, p.ran);
    }
}

static bool met(const perp_world *w, size_t i, size_t j)
{
    return (w->motion[i] == PERP_MOTION_DYNAMIC || w->motion[j] == PERP_MOTION_DYNAMIC) &&
           !w->shapes[i].type->has_parts && !w->shapes[j].type->has_parts;
}

/* False: it failed, which is wrong unless nothing takes a pair. */
static bool search(trial *t, perp_collider *c, const perp_world *w, perp_contacts *all)
{
    perp_error err = {0};
    perp_status status = perp_collider_run(c, w, &t->settings, all, &err);

    t->at->runs++;
    t->at->contacts += all->count;
    t->at->unsuitable += status == PERP_ERR_UNSUITABLE;
    if (status != PERP_OK && status != PERP_ERR_UNSUITABLE) {
        wrong(t, "%s", err.text);
    }
    return status == PERP_OK;
}

static void check_unresolved(trial *t, const perp_collider *from)
{
    const perp_collide_report *report = perp_collider_report(from);
    perp_contacts again = {0};
    perp_collider *c = NULL;

    t->at->unresolved += t->settings.iterations == 0 ? report->unresolved_count : 0;
    for (size_t k = 0; k < report->unresolved_count; k++) {
        const perp_unresolved *pair = &report->unresolved[k];
        char *text = perp_unresolved_scene(t->world, pair);
        perp_scene *scene = NULL;
        perp_error err = {0};
        bool same = false;

        if (!text ||
            perp_scene_parse(&scene, text, strlen(text), "pair", &err) != PERP_OK ||
            perp_collider_new(&c, &err) != PERP_OK) {
            wrong(t, "scene of an unresolved pair: %s", err.text);
        } else if (search(t, c, scene->world, &again)) {
            const perp_collide_report *r = perp_collider_report(c);

            for (size_t l = 0; l < r->unresolved_count; l++) {
                same = same || (r->unresolved[l].gap == pair->gap &&
                                r->unresolved[l].part_a == pair->part_a);
            }
        }
        if (!same) {
            wrong(t, "%zu and %zu were not resolved, and their scene is", pair->shape_a,
                  pair->shape_b);
        }
        perp_collider_free(c);
        c = NULL;
        perp_scene_free(scene);
        free(text);
    }
    perp_contacts_clear(&again);
}

/* The same shapes in the other order have the same depths. */
static void check_reversed(trial *t, const perp_collider *from, const perp_contacts *all)
{
    size_t last = t->world->shape_count - 1;
    torture_world told;
    perp_world *w = torture_world_draw(t->seed, t->index, true, &told, NULL);
    perp_contacts other = {0};
    perp_collider *c = NULL;

    if (w && perp_collider_new(&c, NULL) == PERP_OK && search(t, c, w, &other)) {
        for (size_t i = 0; i < last; i++) {
            for (size_t j = i + 1; j <= last; j++) {
                const perp_placed a = place(t->world, i);
                const perp_placed b = place(t->world, j);
                const perp_contact *x = deepest(all, i, j);
                const perp_contact *y = deepest(&other, last - j, last - i);
                double near = noise(&a, &b) + coarse * fmax(reach(&a), reach(&b));
                double least = t->settings.margin - near;

                if (is_unresolved(from, i, j) || is_unresolved(c, last - j, last - i)) {
                    continue;
                }
                if ((x && y && !(fabs(x->gap - y->gap) <= near)) ||
                    (x && !y && x->gap <= least) || (y && !x && y->gap <= least)) {
                    wrong(t, "%s %zu and %s %zu: gap %.12g, in the other order %.12g",
                          a.shape->type->name, i, b.shape->type->name, j,
                          x ? x->gap : INFINITY, y ? y->gap : INFINITY);
                }
            }
        }
    }
    perp_contacts_clear(&other);
    perp_collider_free(c);
    perp_world_free(w);
}

static bool same_bits(const perp_contacts *x, const perp_contacts *y)
{
    return x->count == y->count &&
           (x->count == 0 || memcmp(x->at, y->at, x->count * sizeof *x->at) == 0);
}

/* One narrow type with all broad types, whose colliders remember other searches. */
static void check_narrow(trial *t, perp_collider *const *old)
{
    const perp_broad_type *const *broads = perp_broad_types(NULL);
    perp_contacts first = {0};
    perp_contacts next = {0};
    perp_collider *c = NULL;
    bool ok = perp_collider_new(&c, NULL) == PERP_OK;
    bool done = false;

    t->settings.broad = NULL;
    done = ok && search(t, c, t->world, &first);
    for (size_t k = 0; ok && broads[k]; k++) {
        t->settings.broad = broads[k];
        if (search(t, old[k], t->world, &next) != done || !same_bits(&first, &next)) {
            wrong(t, "other contacts by %s", broads[k]->name);
        }
    }
    t->settings.broad = NULL;
    if (done) {
        check_contacts(t, c, &first);
        check_unresolved(t, c);
        for (size_t i = 0; i < t->world->shape_count; i++) {
            for (size_t j = i + 1;
                 t->settings.iterations == 0 && j < t->world->shape_count; j++) {
                if (met(t->world, i, j)) {
                    check_pair(t, &first, i, j);
                }
            }
        }
    }
    perp_contacts_clear(&first);
    perp_contacts_clear(&next);
    perp_collider_free(c);
}

/* Settings of a case, and its world searched with every type, then again after all bodies
 * have moved a little. */
static void check_world(trial *t, perp_random *g, perp_collider *const *old)
{
    const perp_narrow_type *const *narrows = perp_narrow_types(NULL);
    const double margins[3] = {0.0, 0.01 * t->told.size, t->told.size};

    t->settings.margin = margins[perp_random_integer(g, 0, 2)];
    t->settings.reduce = perp_random_integer(g, 0, 2) ? 0 : 4;
    t->settings.iterations = perp_random_integer(g, 0, 9) ? 0 : 2;
    t->settings.speculative = perp_random_integer(g, 0, 4) ? 0.0 : 0.01;
    check_narrow(t, old);
    for (size_t k = 0; narrows[k]; k++) {
        t->settings.narrow = narrows[k];
        check_narrow(t, old);
    }
    t->settings.narrow = NULL;
    if (t->settings.iterations == 0) {
        perp_collider *c = NULL;
        perp_contacts all = {0};

        if (perp_collider_new(&c, NULL) == PERP_OK && search(t, c, t->world, &all)) {
            check_reversed(t, c, &all);
        }
        perp_contacts_clear(&all);
        perp_collider_free(c);
    }
    t->when = "moved";
    torture_world_stir(t->world, t->index, t->told.size);
    check_narrow(t, old);
}

static void run_case(uint64_t seed, progress *at)
{
    perp_random g = {seed + 77 * at->index};
    trial t = {.seed = seed, .index = at->index, .at = at, .when = "as drawn"};
    perp_collider *old[TYPES_MOST] = {NULL};
    const perp_broad_type *const *broads = perp_broad_types(NULL);
    perp_error err = {0};
    bool ok = true;

    for (size_t k = 0; broads[k] && k < TYPES_MOST; k++) {
        ok = ok && perp_collider_new(&old[k], &err) == PERP_OK;
    }
    t.world = torture_world_draw(seed, at->index, false, &t.told, &err);
    if (!t.world || !ok) {
        wrong(&t, "%s", err.text);
    } else {
        check_world(&t, &g, old);
    }
    if (t.fault[0] && at->wrong++ < LINES_MOST) {
        printf("# seed %llu case %zu (%s): %s\n", (unsigned long long)seed, at->index,
               t.told.what, t.fault);
        fflush(stdout);
    }
    for (size_t k = 0; k < TYPES_MOST; k++) {
        perp_collider_free(old[k]);
    }
    perp_world_free(t.world);
}

/* Cases up to the last, in a process that is started again after one that killed it. */
static void watch(uint64_t seed, size_t end, progress *at)
{
    while (!at->done) {
        int status = 0;
        pid_t child = fork();

        if (child == 0) {
            for (; at->index < end; at->index++) {
                alarm(PATIENCE);
                run_case(seed, at);
            }
            at->done = true;
            exit(0); /* as sanitizers like it */
        }
        if (child < 0 || waitpid(child, &status, 0) < 0) {
            at->wrong++;
            return;
        }
        if (!at->done) {
            at->wrong++;
            printf("# seed %llu case %zu: signal %d, or exit %d\n",
                   (unsigned long long)seed, at->index,
                   WIFSIGNALED(status) ? WTERMSIG(status) : 0, WEXITSTATUS(status));
            fflush(stdout);
            at->index++;
        }
    }
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : TEST_COUNT;
    uint64_t seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    progress *at =
        mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED) {
        fputs("collisions: no memory\n", stderr);
        return 2;
    }
    at->index = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    watch(seed, argc > 3 ? at->index + 1 : count, at);
    if (argc < 2) {
        printf("%s 1 - torture: contacts of %d hard worlds are sound\n1..1\n",
               at->wrong ? "not ok" : "ok", TEST_COUNT);
    } else {
        printf("%zu worlds, %zu searches (%zu of what nothing takes), %zu contacts, %zu "
               "pairs measured, %zu unresolved: %zu wrong\n",
               at->index, at->runs, at->unsuitable, at->contacts, at->pairs,
               at->unresolved, at->wrong);
    }
    return at->wrong > 0;
}
