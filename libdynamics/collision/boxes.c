/* SPDX-License-Identifier: Apache-2.0
 * collision/boxes.c: contacts of two boxes in space.
 *
 * With R = R_a^T R_b, t the centre of b in the axes of a, half extents h of a and g of b,
 * they are apart along each of 15 axes by [gottschalk-1996]
 *
 *     a_k:        |t_k| - h_k - sum_l |R_kl| g_l,
 *     b_l:        |(R^T t)_l| - g_l - sum_k |R_kl| h_k,
 *     a_k x b_l:  (|t_k2 R_k1,l - t_k1 R_k2,l| - h_k1 |R_k2,l| - h_k2 |R_k1,l|
 *                  - g_l1 |R_k,l2| - g_l2 |R_k,l1|) / sqrt(R_k1,l^2 + R_k2,l^2),
 *
 * k1, k2 and l1, l2 being the next two of k and l. Beyond the margin on any there is no
 * contact. Where crossed edges are better than faces by more than noise, and no faces are
 * nearly face to face, an edge touches an edge, else faces are clipped (boxes_patch.c).
 * For boxes that do not overlap the result is checked (sat.c).
 *
 * The same axes measure two boxes. The greatest value is a lower bound of the distance,
 * and of boxes that overlap it is minus their depth. It is the answer where points of
 * both boxes confirm it: a corner over the face of the best axis, or two edges that
 * cross. Of other pairs the caller searches the nearest or deepest points. */
#include <config.h>

#include "collision/boxes.h"
#include "shapes/shapes.h"

/* Crossed edges at a smaller sine define no axis. */
static const double crossed_sine = 1e-6;

/* Where boxes are measured: edges at a smaller sine than the first are parallel, for what
 * they miss is that share of their length; up to the second rounding, 1e-16 over the
 * sine, would turn their axis by more than the tolerance, which is in shares of the size.
 * */
static const double measured_parallel = 1e-14;
static const double measured_sine = 1e-3;
static const double measured_rounding = 1e-13;

static const int next[5] = {0, 1, 2, 0, 1};

/* The face of a box from which the other, whose centre is at x, is farthest apart, the
 * first of equal ones in the order +x -x +y -y +z -z; `far`: by axes. No branches: which
 * it is cannot be foretold. */
static inline int boxes_best_face(const double x[3], double far_0, double far_1,
                                  double far_2, double place, double *apart)
{
    double far = far_1 > far_0 ? far_1 : far_0;
    int one = far_1 > far_0 + place;
    int two = far_2 > far + place;
    int k = one | two << 1;

    k -= one & two;
    *apart = far_2 > far ? far_2 : far;
    return 2 * k + (-2.0 * x[k] > place);
}

/* How far the other box, its centre at x along an axis, is beyond the face there: h is
 * the half extent along it, q the cosines of the axes of the other. */
static inline double boxes_beyond(double x, double h, double q_0, double q_1, double q_2,
                                  const double other[3])
{
    return fabs(x) - (h + q_0 * other[0] + q_1 * other[1] + q_2 * other[2]);
}

/* False: they are apart by more than the margin. */
static bool boxes_search_faces(boxes *p)
{
    const double *R = p->R;
    const double *Q = p->Q;
    const double *h = p->h;
    const double *g = p->g;
    const double *t = p->t;
    double s_0 = R[0] * t[0] + R[3] * t[1] + R[6] * t[2];
    double s_1 = R[1] * t[0] + R[4] * t[1] + R[7] * t[2];
    double s_2 = R[2] * t[0] + R[5] * t[1] + R[8] * t[2];
    const double back[3] = {-s_0, -s_1, -s_2}; /* seen from b, box a is there */

    vec3_set(p->s, s_0, s_1, s_2);
    p->face_a = boxes_best_face(t, boxes_beyond(t[0], h[0], Q[0], Q[1], Q[2], g),
                                boxes_beyond(t[1], h[1], Q[3], Q[4], Q[5], g),
                                boxes_beyond(t[2], h[2], Q[6], Q[7], Q[8], g), p->place,
                                &p->far_a);
    p->face_b = boxes_best_face(back, boxes_beyond(s_0, g[0], Q[0], Q[3], Q[6], h),
                                boxes_beyond(s_1, g[1], Q[1], Q[4], Q[7], h),
                                boxes_beyond(s_2, g[2], Q[2], Q[5], Q[8], h), p->place,
                                &p->far_b);
    return p->far_a <= p->query->margin && p->far_b <= p->query->margin;
}

/* Along a_k x b_l, l = 0 1 2, times its length: over[l], and its square: square[l]. */
static void boxes_along_edges(const boxes *p, int k, double over[3], double square[3])
{
    int k1 = next[k + 1];
    int k2 = next[k + 2];
    const double *R1 = p->R + 3 * k1;
    const double *R2 = p->R + 3 * k2;
    const double *Q0 = p->Q + 3 * k;
    const double *Q1 = p->Q + 3 * k1;
    const double *Q2 = p->Q + 3 * k2;
    const double *g = p->g;
    const double from_b[3] = {g[1] * Q0[2] + g[2] * Q0[1], g[2] * Q0[0] + g[0] * Q0[2],
                              g[0] * Q0[1] + g[1] * Q0[0]};

    for (int l = 0; l < 3; l++) {
        over[l] = fabs(p->t[k2] * R1[l] - p->t[k1] * R2[l]) -
                  (p->h[k1] * Q2[l] + p->h[k2] * Q1[l] + from_b[l]);
        square[l] = R1[l] * R1[l] + R2[l] * R2[l];
    }
}

/* False: they are apart by more than the margin. Only what is better than faces counts,
 * so few roots are taken: x/sqrt(q) > f just when x |x| > f |f| q. */
static bool boxes_search_edges(boxes *p)
{
    double over[9];
    double square[9];
    double faces = fmax(p->far_a, p->far_b);
    unsigned better = 0;

    for (int k = 0; k < 3; k++) {
        boxes_along_edges(p, k, over + 3 * k, square + 3 * k);
    }
    for (int k = 0; k < 9; k++) {
        better |= (unsigned)(over[k] * fabs(over[k]) > faces * fabs(faces) * square[k])
                  << k;
    }
    p->edge = 0;
    p->edges = faces;
    for (int k = 0; better != 0; k++, better >>= 1) {
        double apart = better & 1 ? over[k] / sqrt(square[k]) : faces;

        if (apart > p->edges && square[k] >= crossed_sine * crossed_sine) {
            p->edges = apart;
            p->edge = k;
        }
    }
    return p->edges <= p->query->margin;
}

static bool boxes_reference_is_b(const boxes *p)
{
    boxes_face a = boxes_face_of(p->face_a);
    boxes_face b = boxes_face_of(p->face_b);

    return sat_reference_is_b(p->query, p->far_a, p->far_b, p->h[a.u] * p->h[a.v],
                              p->g[b.u] * p->g[b.v], p->place);
}

/* Whether a face is nearly opposite to the reference face. */
static bool boxes_face_to_face(const boxes *p)
{
    const double *R = p->R + (p->r_is_b ? p->face_b / 2 : 3 * (p->face_a / 2));
    int step = p->r_is_b ? 3 : 1;

    return fmax(fabs(R[0]), fmax(fabs(R[step]), fabs(R[2 * step]))) >= SAT_FACE_TO_FACE;
}

/* The two edges, in the axes of a, and n = +-a_k x b_l; false when the edges there cannot
 * be known. */
typedef struct crossing {
    double n[3];
    patch_edge a, b;
} crossing;

static bool boxes_crossing_open(const boxes *p, crossing *c)
{
    int k = p->edge / 3;
    int l = p->edge % 3;
    const int ks[2] = {next[k + 1], next[k + 2]};
    const int ls[2] = {next[l + 1], next[l + 2]};
    const double *row = p->R + 3 * k;
    double along[2] = {-p->R[3 * ks[1] + l], p->R[3 * ks[0] + l]};
    double back[2] = {-row[ls[1]], row[ls[0]]}; /* -n in the axes of b */
    double scale = 1.0 / sqrt(along[0] * along[0] + along[1] * along[1]);
    double middle[3];

    if (p->t[ks[0]] * along[0] + p->t[ks[1]] * along[1] < 0.0) {
        scale = -scale;
    }
    vec3_set(c->n, 0.0, 0.0, 0.0);
    vec3_copy(middle, p->t);
    vec3_set(c->a.from, 0.0, 0.0, 0.0);
    c->a.id[0] = c->b.id[0] = 0;
    for (int i = 0; i < 2; i++) {
        double x = scale * along[i];
        double y = scale * back[i];
        double h = p->h[ks[i]];
        double g = copysign(p->g[ls[i]], y);

        if (fmin(2.0 * h * fabs(x), 2.0 * fabs(g * y)) <= p->place) {
            return false;
        }
        c->n[ks[i]] = x;
        c->a.from[ks[i]] = copysign(h, x);
        c->a.id[0] |= (uint32_t)(x > 0.0) << ks[i];
        c->b.id[0] |= (uint32_t)(y > 0.0) << ls[i];
        for (int r = 0; r < 3; r++) {
            middle[r] += g * p->R[3 * r + ls[i]];
        }
    }
    vec3_copy(c->a.to, c->a.from);
    c->a.from[k] = -p->h[k];
    c->a.to[k] = p->h[k];
    for (int r = 0; r < 3; r++) {
        c->b.from[r] = middle[r] - p->g[l] * p->R[3 * r + l];
        c->b.to[r] = middle[r] + p->g[l] * p->R[3 * r + l];
    }
    c->a.id[1] = c->a.id[0] | (uint32_t)1 << k;
    c->b.id[1] = c->b.id[0] | (uint32_t)1 << l;
    return true;
}

/* By how much the edges are better than the faces, in shares of the smaller reach. */
static double boxes_edges_lead(const boxes *p)
{
    return (p->edges - fmax(p->far_a, p->far_b)) /
           fmin(p->query->a->reach, p->query->b->reach);
}

/* Pose of b in the axes of a. */
static void boxes_place(boxes *p, const perp_placed *a, const perp_placed *b)
{
    sat_frame(a, b, p->R, p->t);
    for (int k = 0; k < 9; k++) {
        p->Q[k] = fabs(p->R[k]);
    }
}

void boxes_contacts(contact_query *m)
{
    double gap = INFINITY;
    double lead = 0.0;
    bool flush = false;
    crossing edges;
    boxes p;

    p.query = m;
    p.h = m->a->at.shape->size;
    p.g = m->b->at.shape->size;
    p.place = SAT_SAME_PLACE * (m->a->reach + m->b->reach);
    boxes_place(&p, &m->a->at, &m->b->at);
    if (!boxes_search_faces(&p) || !boxes_search_edges(&p)) {
        return;
    }
    p.r_is_b = boxes_reference_is_b(&p);
    lead = boxes_edges_lead(&p);
    flush = boxes_face_to_face(&p) && lead <= SAT_FLUSH_LOSS;
    if (!flush && lead > SAT_EDGE_ADVANTAGE && boxes_crossing_open(&p, &edges)) {
        gap = patch_cross_edges(m, edges.n, &edges.a, &edges.b, p.place);
    } else {
        gap = boxes_clip_faces(&p);
    }
    if (p.edges > 0.0 || (p.edges < -p.place && gap == INFINITY)) {
        sat_check_apart(m, p.edges, gap, flush);
    }
}

/* Nearly parallel edges, whose axis rounding turns. */
static bool boxes_edges_are_vague(const boxes *p)
{
    for (int e = 0; e < 9; e++) {
        const double *one = p->R + 3 * next[e / 3 + 1] + e % 3;
        const double *two = p->R + 3 * next[e / 3 + 2] + e % 3;
        double square = one[0] * one[0] + two[0] * two[0];

        if (square > measured_parallel * measured_parallel &&
            square < measured_sine * measured_sine) {
            return true;
        }
    }
    return false;
}

/* x on a and y on b, in the axes of `at`, as the answer in the world. */
static void boxes_answer(const perp_placed *at, const double n[3], const double x[3],
                         const double y[3], double gap, perp_proximity *out)
{
    mat3_apply(at->R, n, out->normal);
    mat3_apply(at->R, x, out->p_a);
    mat3_apply(at->R, y, out->p_b);
    vec3_add(out->p_a, 1.0, at->x, out->p_a);
    vec3_add(out->p_b, 1.0, at->x, out->p_b);
    out->gap = gap;
}

/* The corner of the other box, of half extents g, that is lowest over a face of this one,
 * in its axes: R[step_k k + step_l l] is the cosine of its axis k and axis l of the
 * other, whose centre is at t. False where the corner is not over the face. */
static bool boxes_corner_over_face(const boxes_face *r, const double h[3],
                                   const double g[3], const double *R, const int step[2],
                                   const double t[3], double corner[3])
{
    vec3_copy(corner, t);
    for (int l = 0; l < 3; l++) {
        const double *axis = R + step[1] * l;
        double share = -copysign(g[l], r->side * axis[step[0] * r->axis]);

        for (int k = 0; k < 3; k++) {
            corner[k] += share * axis[step[0] * k];
        }
    }
    return fabs(corner[r->u]) <= h[r->u] && fabs(corner[r->v]) <= h[r->v];
}

static bool boxes_measure_face(const boxes *p, const perp_placed *a, const perp_placed *b,
                               perp_proximity *out)
{
    static const int rows[2] = {3, 1};
    static const int columns[2] = {1, 3};
    const double back[3] = {-p->s[0], -p->s[1], -p->s[2]};
    boxes_face r = boxes_face_of(p->r_is_b ? p->face_b : p->face_a);
    const double *h = p->r_is_b ? p->g : p->h;
    double corner[3];
    double below[3];
    double n[3] = {0.0, 0.0, 0.0};

    if (!boxes_corner_over_face(&r, h, p->r_is_b ? p->h : p->g, p->R,
                                p->r_is_b ? columns : rows, p->r_is_b ? back : p->t,
                                corner)) {
        return false;
    }
    vec3_copy(below, corner);
    below[r.axis] = r.side * h[r.axis];
    n[r.axis] = p->r_is_b ? -r.side : r.side;
    if (p->r_is_b) {
        boxes_answer(b, n, corner, below, p->far_b, out);
    } else {
        boxes_answer(a, n, below, corner, p->far_a, out);
    }
    return true;
}

static bool boxes_measure_edges(const boxes *p, const perp_placed *a, perp_proximity *out)
{
    crossing c;
    double x[3];
    double y[3];
    double d[3];

    if (!boxes_crossing_open(p, &c)) {
        return false;
    }
    query_segments(c.a.from, c.a.to, c.b.from, c.b.to, x, y);
    vec3_subtract(y, x, d);
    if (sat_gap_across(c.n, d, out->tolerance) == INFINITY) {
        return false;
    }
    boxes_answer(a, c.n, x, y, p->edges, out);
    return true;
}

bool boxes_measure(const perp_placed *a, const perp_placed *b,
                   const perp_narrow_settings *settings, perp_proximity *out)
{
    contact_query anywhere = {.margin = INFINITY};
    boxes p;

    if (!solid_is_box(a->shape->type) || !solid_is_box(b->shape->type) ||
        settings->dimension == 2) {
        return false;
    }
    p.query = &anywhere;
    p.h = a->shape->size;
    p.g = b->shape->size;
    p.place = 0.0;
    boxes_place(&p, a, b);
    if (boxes_edges_are_vague(&p) || !boxes_search_faces(&p) || !boxes_search_edges(&p)) {
        return false;
    }
    *out = (perp_proximity){.ran = narrow_sat.name,
                            .converged = true,
                            .tolerance = measured_rounding *
                                         (vec3_length(p.h) + vec3_length(p.g))};
    p.r_is_b = p.far_b > p.far_a;
    return p.edges > fmax(p.far_a, p.far_b) ? boxes_measure_edges(&p, a, out)
                                            : boxes_measure_face(&p, a, b, out);
}
