/* SPDX-License-Identifier: Apache-2.0
 * collision/gjk.c: the distance of two convex shapes [gilbert-1988].
 *
 * A simplex of points of M = A (-) B has a point v nearest to the origin. The point w of
 * M farthest along -v joins it, until
 *
 *     |v| - v.w/|v| <= tolerance,
 *
 * which is how far |v| can be above the distance: v.w/|v| is below it. Points of
 * polytopes are finitely many, so there the search ends with a w that the simplex has
 * already, and the distance is exact. The simplex around the origin, or |v| of rounding:
 * they overlap. Where |v| does not shrink any more, rounding has the last word, and the
 * tolerance tells of it. Axes are those of a; a step costs two support points. */
#include <config.h>

#include "collision/difference.h"
#include "collision/query.h"

/* A relative gap of v.v and v.w that rounding alone can leave. */
static const double rounding = 1e-14;

/* Where bounds of polytopes are farther apart, as a share of their size, v is so short
 * that rounding has turned it. */
static const double turned = 1e-13;

static void gjk_start(const difference *m, const perp_gjk_cache *cache, simplex *s)
{
    static const double aside[3] = {1.0, 0.0, 0.0};
    unsigned count = cache ? cache->count : 0;

    s->count = 0;
    for (unsigned k = 0; k < count && k < 4 - (unsigned)m->flat; k++) {
        const double *d = cache->direction[k];

        if (m->corners) {
            s->count += difference_corners(m, cache->corner[k], &s->p[s->count]);
        } else if (vec3_dot(d, d) > 0.0) {
            difference_support(m, d, &s->p[s->count++]);
        }
    }
    if (s->count == 0) {
        difference_support(m, vec3_dot(m->t, m->t) > 0.0 ? m->t : aside, &s->p[0]);
        s->count = 1;
    }
}

static void gjk_store(const difference *m, const simplex *s, perp_gjk_cache *cache)
{
    cache->count = s->count;
    for (unsigned k = 0; k < s->count; k++) {
        vec3_copy(cache->direction[k], s->p[k].along);
        for (int side = 0; side < 2; side++) {
            cache->corner[k][side] = m->corners ? s->p[k].corner[side] : -1;
        }
    }
}

/* Keep the points of some weight. */
static void gjk_accept(simplex *s, const double weight[4])
{
    unsigned kept = 0;

    for (unsigned k = 0; k < s->count; k++) {
        if (weight[k] > 0.0) {
            if (kept < k) {
                s->p[kept] = s->p[k];
            }
            s->weight[kept++] = weight[k];
        }
    }
    s->count = kept;
}

static bool gjk_has(const simplex *s, const difference_point *p)
{
    for (unsigned k = 0; k < s->count; k++) {
        if (s->p[k].corner[0] == p->corner[0] && s->p[k].corner[1] == p->corner[1]) {
            return true;
        }
    }
    return false;
}

/* Where they overlap: the direction that last separated them, or that of a flat M. */
static void gjk_last_normal(const difference *m, const double last[3], nearest_point *out)
{
    double e[3];
    double f[3];
    double n[3];

    vec3_scale(-1.0, last, out->n);
    if (!(vec3_normalize(out->n) > 0.0)) {
        vec3_copy(out->n, m->t);
        if (!(vec3_normalize(out->n) > 0.0)) {
            vec3_set(out->n, 0.0, m->flat, !m->flat);
        }
    }
    if (out->s.count == 3 && !m->flat) {
        vec3_subtract(out->s.p[1].w, out->s.p[0].w, e);
        vec3_subtract(out->s.p[2].w, out->s.p[0].w, f);
        vec3_cross(e, f, n);
        if (vec3_normalize(n) > 0.0) {
            vec3_scale(vec3_dot(n, out->n) < 0.0 ? -1.0 : 1.0, n, out->n);
        }
    }
}

/* Lower bounds v.w/|v| are compared by their squares; the best one is kept. */
typedef struct bound {
    double along, square; /* v.w and v.v */
    double v[3];
} bound;

static void gjk_raise(bound *best, double along, double square, const double v[3])
{
    if (best->square == 0.0 ||
        along * fabs(along) * best->square > best->along * fabs(best->along) * square) {
        best->along = along;
        best->square = square;
        vec3_copy(best->v, v);
    }
}

/* along: v.w of the last v, unless the search ended before it was known. */
static void gjk_finish(const difference *m, const bound *best, double along,
                       const double last[3], nearest_point *out)
{
    double length = vec3_length(out->v);
    double square = sqrt(best->square);

    out->bound = best->square > 0.0 ? best->along / square : -INFINITY;
    if (out->overlap) {
        out->distance = 0.0;
        out->tolerance = m->noise;
        gjk_last_normal(m, last, out);
    } else if (out->converged) {
        out->distance = length;
        out->tolerance = fmax(length - along / length, 0.0) + m->noise;
        vec3_scale(-1.0 / length, out->v, out->n);
    } else {
        out->distance = out->bound;
        out->tolerance = fmax(length - out->bound, 0.0) + m->noise;
        vec3_scale(-1.0 / square, best->v, out->n);
    }
}

/* Why a search ended. */
typedef enum gjk_ended {
    GJK_GOES_ON,  /* at the end: no iterations were left */
    GJK_OVERLAP,  /* the origin is in M, or as near as rounding tells */
    GJK_NEAREST,  /* v is nearest */
    GJK_REPEATED, /* so it is, of corners; but the bound is lower than rounding explains */
    GJK_STALLED,  /* rounding lets no nearer v be found */
    GJK_BEYOND,   /* the bound is above the limit */
    GJK_NOT_FINITE, /* NaN or infinity */
} gjk_ended;

/* Whether the support point p along -v ends the search at v; along: v.p, square: v.v. */
static gjk_ended gjk_test_end(const difference *m, const simplex *s,
                              const difference_point *p, double along, double square,
                              double beyond)
{
    if (!isfinite(along)) {
        return GJK_NOT_FINITE;
    }
    if (along > 0.0 && along * along > beyond * beyond * square) {
        return GJK_BEYOND;
    }
    if (square - along <= rounding * square || (m->corners && gjk_has(s, p))) {
        return square - along > fmax(turned * m->size, 4.0 * m->noise) * sqrt(square)
                   ? GJK_REPEATED
                   : GJK_NEAREST;
    }
    if (!m->corners && square - along <= narrow_smooth * m->size * sqrt(square)) {
        return GJK_NEAREST;
    }
    return GJK_GOES_ON;
}

/* What the search has found, all of it but v and the simplex. */
static void gjk_end(const difference *m, gjk_ended ended, const bound *best, double along,
                    const double last[3], nearest_point *out)
{
    out->finite = ended != GJK_NOT_FINITE;
    out->overlap = ended == GJK_OVERLAP;
    out->stalled = ended == GJK_STALLED || ended == GJK_REPEATED;
    out->beyond = ended == GJK_BEYOND;
    out->converged =
        ended == GJK_OVERLAP || ended == GJK_NEAREST || ended == GJK_REPEATED;
    if (out->finite) {
        gjk_finish(m, best, along, last, out);
        out->converged |= out->beyond;
    }
}

void difference_nearest(const difference *m, perp_gjk_cache *cache, unsigned iterations,
                        double beyond, nearest_point *out)
{
    simplex *s = &out->s;
    gjk_ended ended = GJK_GOES_ON;
    bound best = {0};
    double last[3] = {0};
    double weight[4];
    double next[3];
    double square;
    double along = 0.0;
    bool inside;

    out->iterations = 0;
    gjk_start(m, cache, s);
    inside = simplex_nearest(s, m->flat, weight, out->v);
    gjk_accept(s, weight);
    square = vec3_dot(out->v, out->v);
    ended = !isfinite(square) ? GJK_NOT_FINITE : inside ? GJK_OVERLAP : GJK_GOES_ON;
    while (ended == GJK_GOES_ON && out->iterations < iterations) {
        difference_point *p = &s->p[s->count];

        if (square <= m->noise * m->noise) {
            ended = GJK_OVERLAP;
            break;
        }
        vec3_scale(-1.0, out->v, next);
        difference_support(m, next, p);
        out->iterations++;
        along = vec3_dot(out->v, p->w);
        gjk_raise(&best, along, square, out->v);
        ended = gjk_test_end(m, s, p, along, square, beyond);
        if (ended != GJK_GOES_ON) {
            break;
        }
        s->count++;
        inside = simplex_nearest(s, m->flat, weight, next);
        if (!inside && !(vec3_dot(next, next) < square)) {
            s->count--;
            /* as near to what is asked for as rounding lets it come */
            ended = square - along <= 10.0 * narrow_smooth * m->size * sqrt(square)
                        ? GJK_NEAREST
                        : GJK_STALLED;
            break;
        }
        vec3_copy(last, out->v);
        gjk_accept(s, weight);
        vec3_copy(out->v, next);
        square = vec3_dot(next, next);
        ended = inside ? GJK_OVERLAP : GJK_GOES_ON;
    }
    gjk_end(m, ended, &best, along, last, out);
    if (cache && out->finite) {
        gjk_store(m, s, cache);
    }
}

void difference_report_nearest(const difference *m, const nearest_point *at,
                               perp_proximity *out)
{
    double a[3];
    double b[3];

    *out = (perp_proximity){.converged = at->converged,
                            .tolerance = at->tolerance,
                            .iterations = at->iterations,
                            .ran = "gjk"};
    if (!at->finite) {
        out->gap = out->tolerance = NAN;
        vec3_set(out->normal, 0.0, m->flat, !m->flat);
        out->converged = false;
        return;
    }
    simplex_witnesses(&at->s, a, b);
    difference_report(m, at->n, a, b, at->distance, out);
}

void difference_report_flat(const difference *m, const nearest_point *at,
                            const double n[3], perp_proximity *out)
{
    double a[3];
    double b[3];

    if (!at->overlap) {
        difference_report_nearest(m, at, out);
        return;
    }
    simplex_witnesses(&at->s, a, b);
    difference_report(m, n, a, b, 0.0, out);
}

/* What of the cores is beyond a limit of the gap; INFINITY: there is none. */
static double gjk_world_limit(const difference *m, const perp_narrow_settings *settings)
{
    return settings && settings->beyond > 0.0
               ? settings->beyond + m->a.radius + m->b.radius
               : INFINITY;
}

void perp_gjk(const perp_placed *a, const perp_placed *b, perp_gjk_cache *cache,
              const perp_narrow_settings *settings, perp_proximity *out)
{
    difference m;
    nearest_point at;

    difference_set(&m, a, b, settings);
    difference_nearest(&m, cache, narrow_iterations(settings),
                       gjk_world_limit(&m, settings), &at);
    difference_report_nearest(&m, &at, out);
}
/* Of shapes that rounding did not let GJK tell apart: if EPA found the origin inside, its
 * depth; else the better of both answers, since by v they are not farther apart than |v|,
 * and by the planes of EPA's faces not nearer than these. */
static void gjk_settle(const difference *m, const nearest_point *at, perp_proximity *out)
{
    double gap = out->gap + m->a.radius + m->b.radius;

    if (gap <= 0.0) {
        return;
    }
    out->tolerance = fmax(out->tolerance, vec3_length(at->v) - gap + m->noise);
    out->converged = out->tolerance <= narrow_rough * m->size;
    if (at->tolerance <= out->tolerance) {
        unsigned iterations = out->iterations;

        difference_report_nearest(m, at, out);
        out->iterations = iterations;
    }
}

void perp_epa(const perp_placed *a, const perp_placed *b,
              const perp_narrow_settings *settings, perp_proximity *out)
{
    unsigned iterations = narrow_iterations(settings);
    difference m;
    nearest_point at;

    difference_set(&m, a, b, settings);
    difference_nearest(&m, NULL, iterations, gjk_world_limit(&m, settings), &at);
    if (!at.finite || !(at.overlap || at.stalled)) {
        difference_report_nearest(&m, &at, out);
        return;
    }
    (m.flat ? difference_expand_plane : difference_expand)(&m, &at, iterations, out);
    if (!at.overlap) {
        gjk_settle(&m, &at, out);
    }
}

bool narrow_takes_convex(const perp_shape_type *a, const perp_shape_type *b,
                         unsigned dimension)
{
    (void)dimension;
    return a->support && b->support;
}

void query_search(const contact_query *m, measure_call *measure, const perp_placed *a,
                  const perp_placed *b, perp_proximity *p)
{
    perp_narrow_settings settings = m->settings;

    settings.dimension = m->dimension;
    settings.beyond = isfinite(m->margin) ? fmax(m->margin, DBL_MIN) : 0.0;
    measure(a, b, &settings, p);
}

void query_convex(contact_query *m, measure_call *measure)
{
    perp_proximity p;

    query_search(m, measure, &m->a->at, &m->b->at, &p);
    if (!p.converged) {
        query_give_up(m, &p);
    }
    if (p.gap <= m->margin) {
        query_manifold(m, &p);
    }
}

static void gjk_contacts(contact_query *m)
{
    query_convex(m, perp_epa);
}

const perp_narrow_type narrow_gjk = {
    .name = "gjk",
    .summary = "any two convex shapes: nearest points, the depth by EPA",
    .reference = "gilbert-1988",
    .takes = narrow_takes_convex,
    .measure = perp_epa,
    .meet = gjk_contacts,
};
