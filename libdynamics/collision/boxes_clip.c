/* SPDX-License-Identifier: Apache-2.0
 * collision/boxes_clip.c: contacts of two boxes face to face.
 *
 * The reference face is that of the best axis, the incident one that of the other box
 * which looks most against it. In coordinates (u, v) of the reference face and w along
 * its normal it is |u| <= h_u, |v| <= h_v, w = 0, and the incident face, of centre c and
 * half extents (p, q) along the axes e and f, is
 *
 *     (u, v, w) = c + p e + q f,   |p| <= g_p, |q| <= g_q,
 *     (p, q) = M^-1 ((u, v) - (c_u, c_v)),   M = [e_u f_u; e_v f_v].
 *
 * Contacts are what Sutherland and Hodgman's clipping would leave: corners of either face
 * within the other, and where outlines properly cross; gap = w, halfway to the reference
 * face. Corners of a face go (-,-) (+,-) (+,+) (-,+) around it, its sides run from each
 * to the next. Bits of a mask are corners, or sides, in that order. */
#include <config.h>

#include "collision/boxes.h"

enum { TURN = 4, ALL = 15 };

/* Signs of the corners. */
static const double sign_u[TURN] = {-1.0, 1.0, 1.0, -1.0};
static const double sign_v[TURN] = {-1.0, -1.0, 1.0, 1.0};

/* One face and the other box, seen from the box of that face. */
typedef struct clip {
    const boxes *boxes;
    bool r_is_b;               /* the reference face is on b */
    const double *h, *g;       /* half extents of its box, of the other */
    boxes_face r, i;           /* the reference face, the incident one */
    size_t r_corner[TURN + 1]; /* their corners, the first again at the end */
    size_t i_corner[TURN + 1];
    double center[3];                             /* of the incident face, as (u, v, w) */
    double e[3], f[3];                            /* its axes p and q */
    double u[TURN + 1], v[TURN + 1], w[TURN + 1]; /* its corners */
    double p[TURN], q[TURN];                     /* corners of the reference face on it */
    double origin[3], to_u[3], to_v[3], to_w[3]; /* the reference face in the world */
    double normal[3];                            /* world, from a to b */
    double least;
} clip;

/* How corners of one face lie to the sides of the other. */
typedef struct sight {
    unsigned within;   /* corners within all sides */
    unsigned crossing; /* bit 4 k + l: side l of theirs properly crosses the line of our
                          side k */
} sight;

static void number_corners(const boxes_face *f, size_t corner[TURN + 1])
{
    size_t zero = (size_t)(f->side > 0.0) << f->axis;
    size_t u = (size_t)1 << f->u;
    size_t v = (size_t)1 << f->v;

    corner[0] = corner[4] = zero;
    corner[1] = zero | u;
    corner[2] = zero | u | v;
    corner[3] = zero | v;
}

/* Corners (u, v) of one face against the rectangle |u| <= h, |v| <= g. A corner within
 * `place` of a side is on neither side of it. */
static sight look(const double u[TURN], const double v[TURN], double h, double g,
                  double place)
{
    unsigned out[TURN] = {0};
    unsigned on[TURN] = {0};
    double least = INFINITY;
    sight s;

    for (int k = 0; k < TURN; k++) {
        const double d[TURN] = {g + v[k], h - u[k], g - v[k], h + u[k]};

        for (int side = 0; side < TURN; side++) {
            least = fabs(d[side]) < least ? fabs(d[side]) : least;
            out[side] |= (unsigned)(d[side] < 0.0) << k;
        }
    }
    for (int k = 0; k < TURN && least <= place; k++) {
        const double d[TURN] = {g + v[k], h - u[k], g - v[k], h + u[k]};

        for (int side = 0; side < TURN; side++) {
            on[side] |= (unsigned)(fabs(d[side]) <= place) << k;
        }
    }
    s.within = ALL;
    s.crossing = 0;
    for (int side = 0; side < TURN; side++) {
        unsigned out_next = out[side] >> 1 | out[side] << 3;
        unsigned on_next = on[side] >> 1 | on[side] << 3;

        s.within &= ~out[side] | on[side];
        s.crossing |= (ALL & (out[side] ^ out_next) & ~(on[side] | on_next))
                      << TURN * side;
    }
    return s;
}

/* Bit 4 k + l becomes bit 4 l + k. */
static unsigned transpose(unsigned x)
{
    unsigned t = (x ^ (x >> 3)) & 0x0A0A;

    x ^= t ^ (t << 3);
    t = (x ^ (x >> 6)) & 0x00CC;
    return x ^ t ^ (t << 6);
}

/* The incident face: of the other box, whose axes are the columns of R. */
static boxes_face opposite_face(const double R[9], const boxes_face *r)
{
    const double *row = R + 3 * r->axis;
    int most = 0;

    /* the first of equal ones */
    for (int l = 1; l < 3; l++) {
        if (fabs(row[l]) > fabs(row[most]) + SAT_SAME_PLACE) {
            most = l;
        }
    }
    return boxes_face_of(2 * most + (row[most] * r->side > 0.0));
}

/* Axis l of the other box in coordinates of the reference face. */
static void as_uvw(const double R[9], const boxes_face *r, int l, double out[3])
{
    vec3_set(out, R[3 * r->u + l], R[3 * r->v + l], r->side * R[3 * r->axis + l]);
}

/* The faces and their coordinates; t is the centre of the other box. */
static void clip_open(clip *c, const double R[9], const double t[3])
{
    double out[3];
    double scale = 0.0;
    double h_u = c->h[c->r.u];
    double h_v = c->h[c->r.v];
    double g_p = 0.0;
    double g_q = 0.0;

    c->i = opposite_face(R, &c->r);
    number_corners(&c->r, c->r_corner);
    number_corners(&c->i, c->i_corner);
    g_p = c->g[c->i.u];
    g_q = c->g[c->i.v];
    as_uvw(R, &c->r, c->i.axis, out);
    as_uvw(R, &c->r, c->i.u, c->e);
    as_uvw(R, &c->r, c->i.v, c->f);
    vec3_set(c->center, t[c->r.u], t[c->r.v], c->r.side * t[c->r.axis] - c->h[c->r.axis]);
    vec3_add(c->center, c->i.side * c->g[c->i.axis], out, c->center);
    scale = 1.0 / (c->e[0] * c->f[1] - c->e[1] * c->f[0]);
    for (int k = 0; k < TURN; k++) {
        double p = sign_u[k] * g_p;
        double q = sign_v[k] * g_q;
        double x = sign_u[k] * h_u - c->center[0];
        double y = sign_v[k] * h_v - c->center[1];

        c->u[k] = c->center[0] + p * c->e[0] + q * c->f[0];
        c->v[k] = c->center[1] + p * c->e[1] + q * c->f[1];
        c->w[k] = c->center[2] + p * c->e[2] + q * c->f[2];
        c->p[k] = scale * (x * c->f[1] - y * c->f[0]);
        c->q[k] = scale * (y * c->e[0] - x * c->e[1]);
    }
    c->u[TURN] = c->u[0];
    c->v[TURN] = c->v[0];
    c->w[TURN] = c->w[0];
}

/* The reference face in the world. */
static void clip_place(clip *c)
{
    const contact_query *m = c->boxes->query;
    const perp_placed *at = c->r_is_b ? &m->b->at : &m->a->at;
    const double *R = at->R;
    const boxes_face *r = &c->r;

    vec3_set(c->to_u, R[r->u], R[3 + r->u], R[6 + r->u]);
    vec3_set(c->to_v, R[r->v], R[3 + r->v], R[6 + r->v]);
    vec3_set(c->to_w, r->side * R[r->axis], r->side * R[3 + r->axis],
             r->side * R[6 + r->axis]);
    vec3_add(at->x, c->h[r->axis], c->to_w, c->origin);
    vec3_scale(c->r_is_b ? -1.0 : 1.0, c->to_w, c->normal);
}

static void tell(clip *c, double u, double v, double gap, uint64_t feature)
{
    double w = 0.5 * gap;
    double x[3];

    for (int k = 0; k < 3; k++) {
        x[k] = c->origin[k] + u * c->to_u[k] + v * c->to_v[k] + w * c->to_w[k];
    }
    c->least = gap < c->least ? gap : c->least;
    query_add(c->boxes->query, x, c->normal, gap, feature);
}

/* Corners of the incident face within the reference face, and the other way round. */
static void tell_incident(clip *c, unsigned within)
{
    for (int k = 0; within != 0; k++, within >>= 1) {
        if (within & 1) {
            tell(c, c->u[k], c->v[k], c->w[k], sat_corner(!c->r_is_b, c->i_corner[k]));
        }
    }
}

static void tell_reference(clip *c, unsigned within)
{
    for (int k = 0; within != 0; k++, within >>= 1) {
        if (within & 1) {
            tell(c, sign_u[k] * c->h[c->r.u], sign_v[k] * c->h[c->r.v],
                 c->center[2] + c->p[k] * c->e[2] + c->q[k] * c->f[2],
                 sat_corner(c->r_is_b, c->r_corner[k]));
        }
    }
}

/* Pairs of corners, one of each face, at the same place are told once, as one of a. */
static void drop_same(const clip *c, unsigned *incident, unsigned *reference)
{
    double place = c->boxes->place;

    for (int k = 0; k < TURN; k++) {
        for (int l = 0; l < TURN && (*incident >> k & 1); l++) {
            double x = sign_u[l] * c->h[c->r.u] - c->u[k];
            double y = sign_v[l] * c->h[c->r.v] - c->v[k];

            if ((*reference >> l & 1) && x * x + y * y <= place * place) {
                *(c->r_is_b ? reference : incident) &= ~(1U << (c->r_is_b ? l : k));
            }
        }
    }
}

/* Side k of the reference face and side l of the incident one. */
static void tell_crossing(clip *c, int k, int l)
{
    bool along_u = k % 2 == 0; /* the side is a line of constant v */
    const double *across = along_u ? c->v + l : c->u + l;
    const double *along = along_u ? c->u + l : c->v + l;
    double half = along_u ? c->h[c->r.v] : c->h[c->r.u];
    double line = k == 0 || k == 3 ? -half : half;
    double f = (line - across[0]) / (across[1] - across[0]);
    double gap = c->w[l] + f * (c->w[l + 1] - c->w[l]);
    double at = along[0] + f * (along[1] - along[0]);
    const size_t *a = c->r_is_b ? c->i_corner + l : c->r_corner + k;
    const size_t *b = c->r_is_b ? c->r_corner + k : c->i_corner + l;

    tell(c, along_u ? at : line, along_u ? line : at, gap,
         sat_edges(a[0], a[1], b[0], b[1]));
}

/* In the order of the sides of a, then of b, not of the faces' parts, which noise may
 * exchange. */
static void tell_crossings(clip *c, const sight *incident, const sight *reference)
{
    static const int lowest[16] = {0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};
    unsigned pairs = c->r_is_b ? reference->crossing & transpose(incident->crossing)
                               : incident->crossing & transpose(reference->crossing);

    for (int k = 0; pairs != 0; k++, pairs >>= TURN) {
        for (unsigned row = pairs & ALL; row != 0; row &= row - 1) {
            int l = lowest[row];

            tell_crossing(c, c->r_is_b ? l : k, c->r_is_b ? k : l);
        }
    }
}

/* Whether the rectangle |u| <= h, |v| <= g holds all corners and more. */
static bool holds(const double u[TURN], const double v[TURN], double h, double g)
{
    double most_u = 0.0;
    double most_v = 0.0;

    for (int k = 0; k < TURN; k++) {
        most_u = fabs(u[k]) > most_u ? fabs(u[k]) : most_u;
        most_v = fabs(v[k]) > most_v ? fabs(v[k]) : most_v;
    }
    return most_u < h && most_v < g;
}

static void tell_all(clip *c)
{
    double place = c->boxes->place;
    double h_u = c->h[c->r.u];
    double h_v = c->h[c->r.v];
    double g_p = c->g[c->i.u];
    double g_q = c->g[c->i.v];
    sight incident;
    sight reference;

    if (holds(c->u, c->v, h_u - place, h_v - place)) {
        tell_incident(c, ALL);
        return;
    }
    if (holds(c->p, c->q, g_p - place, g_q - place)) {
        tell_reference(c, ALL);
        return;
    }
    incident = look(c->u, c->v, h_u, h_v, place);
    reference = look(c->p, c->q, g_p, g_q, place);
    if (incident.within && reference.within) {
        drop_same(c, &incident.within, &reference.within);
    }
    if (c->r_is_b) {
        tell_incident(c, incident.within);
        tell_reference(c, reference.within);
    } else {
        tell_reference(c, reference.within);
        tell_incident(c, incident.within);
    }
    tell_crossings(c, &incident, &reference);
}

double boxes_tell_faces(const boxes *p)
{
    clip c;

    c.boxes = p;
    c.r_is_b = p->r_is_b;
    c.least = INFINITY;
    c.h = c.r_is_b ? p->g : p->h;
    c.g = c.r_is_b ? p->h : p->g;
    c.r = boxes_face_of(c.r_is_b ? p->face_b : p->face_a);
    if (c.r_is_b) {
        const double *R = p->R;
        const double T[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};

        clip_open(&c, T, (const double[3]){-p->s[0], -p->s[1], -p->s[2]});
    } else {
        clip_open(&c, p->R, p->t);
    }
    clip_place(&c);
    tell_all(&c);
    /* they may overlap, and no contact say so */
    return p->edges < -p->place && !(c.least <= 0.0) ? INFINITY : c.least;
}
