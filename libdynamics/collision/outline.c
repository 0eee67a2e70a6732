/* SPDX-License-Identifier: Apache-2.0
 * collision/outline.c: keeps the corners of the convex hull of contacts in one plane.
 *
 * Between two flat faces of one normal the gap is g(x, y) = g_0 + g_x x + g_y y across
 * it, and an impulse within the hull of some contacts is one at its corners. Contacts
 * with one normal whose gaps are no such function are all kept. Cost for n contacts with
 * k normals: n k + n log n. */
#include <config.h>

#include <stdlib.h>

#include "collision/query.h"

/* Cosine of normals that are one. */
static const double same_normal = 1.0 - 1e-12;

typedef struct outline_point {
    double x, y, gap;
    size_t number; /* of the contact */
} outline_point;

typedef struct outline {
    perp_contact *at;
    size_t count;
    double place;
    bool *done, *drop;    /* count */
    outline_point *point; /* count: those with one normal, ascending by x, then y */
    outline_point *hull;  /* 2 count */
    size_t points;
} outline;

static int outline_compare(const void *a, const void *b)
{
    const outline_point *p = a;
    const outline_point *q = b;

    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return p->y != q->y ? (p->y < q->y ? -1 : 1)
                        : (p->number > q->number) - (p->number < q->number);
}

static double outline_cross(const outline_point *o, const outline_point *a,
                            const outline_point *b)
{
    return (a->x - o->x) * (b->y - o->y) - (a->y - o->y) * (b->x - o->x);
}

/* The contacts that have the normal of contact k. */
static void outline_gather(outline *o, size_t k)
{
    const perp_contact *first = &o->at[k];
    double s[3], t[3], d[3];

    vec3_tangents(first->normal, s, t);
    o->points = 0;
    for (size_t c = k; c < o->count; c++) {
        if (!o->done[c] && vec3_dot(o->at[c].normal, first->normal) >= same_normal) {
            o->done[c] = true;
            vec3_subtract(o->at[c].point, first->point, d);
            o->point[o->points++] =
                (outline_point){vec3_dot(s, d), vec3_dot(t, d), o->at[c].gap, c};
        }
    }
}

/* Whether the gaps are those of a plane, by the first, the farthest from it and the one
 * that spans the largest triangle with both. */
static bool outline_is_flat(const outline *o)
{
    const outline_point *p = o->point;
    const outline_point *q = p;
    const outline_point *r = p;
    double area = 0.0;

    for (size_t k = 1; k < o->points; k++) {
        q = hypot(p[k].x - p->x, p[k].y - p->y) > hypot(q->x - p->x, q->y - p->y) ? &p[k]
                                                                                  : q;
    }
    for (size_t k = 1; k < o->points; k++) {
        r = fabs(outline_cross(p, q, &p[k])) > fabs(outline_cross(p, q, r)) ? &p[k] : r;
    }
    area = outline_cross(p, q, r);
    if (fabs(area) <= o->place * hypot(q->x - p->x, q->y - p->y)) {
        return false;
    }
    for (size_t k = 0; k < o->points; k++) {
        double u = outline_cross(p, &p[k], r) / area;
        double v = outline_cross(p, q, &p[k]) / area;
        double gap = p->gap + u * (q->gap - p->gap) + v * (r->gap - p->gap);

        if (fabs(p[k].gap - gap) > o->place) {
            return false;
        }
    }
    return true;
}

/* One half of the hull, by the points in order of x; a corner is farther than `place`
 * from the line of its neighbours. */
static size_t outline_half(const outline *o, size_t bottom, bool upper)
{
    size_t top = bottom;

    for (size_t k = 0; k < o->points; k++) {
        const outline_point *p = &o->point[upper ? o->points - 1 - k : k];

        while (top >= bottom + 2) {
            const outline_point *a = &o->hull[top - 2];
            double length = hypot(p->x - a->x, p->y - a->y);

            if (outline_cross(a, &o->hull[top - 1], p) > o->place * length) {
                break;
            }
            top--;
        }
        o->hull[top++] = *p;
    }
    return top - 1; /* the last begins the other half */
}

static void outline_reduce(outline *o)
{
    size_t count = 0;

    qsort(o->point, o->points, sizeof *o->point, outline_compare);
    count = outline_half(o, 0, false);
    count = outline_half(o, count, true);
    for (size_t k = 0; k < o->points; k++) {
        o->drop[o->point[k].number] = true;
    }
    for (size_t k = 0; k < count; k++) {
        o->drop[o->hull[k].number] = false;
    }
}

void query_outline(contact_query *m, double place)
{
    outline o = {.at = m->contacts->at + m->first,
                 .count = m->contacts->count - m->first,
                 .place = place};
    size_t kept = 0;

    if (o.count <= 3) {
        return;
    }
    o.point = query_scratch(m, o.count * (3 * sizeof *o.point + 2 * sizeof *o.done) +
                                   2 * sizeof *o.point);
    if (!o.point) {
        return;
    }
    o.hull = o.point + o.count;
    o.done = (bool *)(o.hull + 2 * o.count + 2);
    o.drop = o.done + o.count;
    memset(o.done, 0, 2 * o.count * sizeof *o.done);
    for (size_t k = 0; k < o.count; k++) {
        if (!o.done[k]) {
            outline_gather(&o, k);
            if (o.points > 3 && outline_is_flat(&o)) {
                outline_reduce(&o);
            }
        }
    }
    for (size_t k = 0; k < o.count; k++) {
        if (!o.drop[k]) {
            o.at[kept++] = o.at[k];
        }
    }
    m->contacts->count = m->first + kept;
}
