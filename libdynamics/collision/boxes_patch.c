/* SPDX-License-Identifier: Apache-2.0
 * collision/boxes_patch.c: the patches of two boxes face to face.
 *
 * The reference face is the face of the best axis, the incident face the one of the other
 * box whose normal is most opposite to it. In coordinates (x, y) of the reference face
 * and w along its outward normal it is |x| <= h_u, |y| <= h_v, w = 0, and the incident
 * face, of centre c and half extents (p, q) along the axes e and f, is
 *
 *     (x, y, w) = c + p e + q f,   |p| <= g_p, |q| <= g_q,
 *     (p, q) = M^-1 ((x, y) - (c_x, c_y)),   M = [e_x f_x; e_y f_y].
 *
 * Corners go (-,-) (+,-) (+,+) (-,+) around a face. Distances to sides of the incident
 * face are those in its own plane. */
#include <config.h>

#include "collision/boxes.h"

enum { CORNERS = 4 };

static const double sign_u[CORNERS] = {-1.0, 1.0, 1.0, -1.0};
static const double sign_v[CORNERS] = {-1.0, -1.0, 1.0, 1.0};

/* The numbers of the corners of a face among those of its box. */
static void boxes_patch_number_corners(const boxes_face *f, patch *out)
{
    uint32_t zero = (uint32_t)(f->side > 0.0) << f->axis;
    uint32_t u = (uint32_t)1 << f->u;
    uint32_t v = (uint32_t)1 << f->v;

    out->count = CORNERS;
    out->radius = 0.0;
    out->id[0] = zero;
    out->id[1] = zero | u;
    out->id[2] = zero | u | v;
    out->id[3] = zero | v;
}

static void boxes_patch_set_side(patch *f, size_t k, double u, double v, double c)
{
    f->u[k] = u;
    f->v[k] = v;
    f->c[k] = c;
}

static void boxes_patch_reference_patch(const boxes_face *r, const double h[3],
                                        patch *out)
{
    boxes_patch_number_corners(r, out);
    for (size_t k = 0; k < CORNERS; k++) {
        out->x[k] = sign_u[k] * h[r->u];
        out->y[k] = sign_v[k] * h[r->v];
        out->height[k] = 0.0;
    }
    out->slope[0] = out->slope[1] = 0.0;
    boxes_patch_set_side(out, 0, 0.0, 1.0, -h[r->v]);
    boxes_patch_set_side(out, 1, -1.0, 0.0, -h[r->u]);
    boxes_patch_set_side(out, 2, 0.0, -1.0, -h[r->v]);
    boxes_patch_set_side(out, 3, 1.0, 0.0, -h[r->u]);
}

/* The incident face: of the other box, whose axes are the columns of R; of equal ones the
 * first. */
static boxes_face boxes_patch_opposite_face(const double R[9], const boxes_face *r)
{
    const double *row = R + 3 * r->axis;
    int most = 0;

    for (int l = 1; l < 3; l++) {
        if (fabs(row[l]) > fabs(row[most]) + SAT_SAME_PLACE) {
            most = l;
        }
    }
    return boxes_face_of(2 * most + (row[most] * r->side > 0.0));
}

/* Axis l of the other box in coordinates of the reference face. */
static void boxes_patch_as_xyw(const double R[9], const boxes_face *r, int l,
                               double out[3])
{
    vec3_set(out, R[3 * r->u + l], R[3 * r->v + l], r->side * R[3 * r->axis + l]);
}

/* Of the other box, of half extents g and centre t; heights are `up` w. */
static void boxes_patch_incident_patch(const boxes_face *r, double h, const double R[9],
                                       const double t[3], const double g[3], double up,
                                       patch *out)
{
    const boxes_face i = boxes_patch_opposite_face(R, r);
    double c[3] = {t[r->u], t[r->v], r->side * t[r->axis] - h};
    double e[3];
    double f[3];
    double outward[3];
    double scale = 0.0;

    boxes_patch_as_xyw(R, r, i.axis, outward);
    boxes_patch_as_xyw(R, r, i.u, e);
    boxes_patch_as_xyw(R, r, i.v, f);
    vec3_add(c, i.side * g[i.axis], outward, c);
    boxes_patch_number_corners(&i, out);
    for (size_t k = 0; k < CORNERS; k++) {
        double p = sign_u[k] * g[i.u];
        double q = sign_v[k] * g[i.v];

        out->x[k] = c[0] + p * e[0] + q * f[0];
        out->y[k] = c[1] + p * e[1] + q * f[1];
        out->height[k] = up * (c[2] + p * e[2] + q * f[2]);
    }
    scale = 1.0 / (e[0] * f[1] - e[1] * f[0]);
    const double to_p[2] = {scale * f[1], -scale * f[0]};
    const double to_q[2] = {-scale * e[1], scale * e[0]};
    const double p_0 = to_p[0] * c[0] + to_p[1] * c[1];
    const double q_0 = to_q[0] * c[0] + to_q[1] * c[1];

    out->slope[0] = up * (to_p[0] * e[2] + to_q[0] * f[2]);
    out->slope[1] = up * (to_p[1] * e[2] + to_q[1] * f[2]);
    boxes_patch_set_side(out, 0, to_q[0], to_q[1], q_0 - g[i.v]);
    boxes_patch_set_side(out, 1, -to_p[0], -to_p[1], -p_0 - g[i.u]);
    boxes_patch_set_side(out, 2, -to_q[0], -to_q[1], -q_0 - g[i.v]);
    boxes_patch_set_side(out, 3, to_p[0], to_p[1], p_0 - g[i.u]);
}

/* The frame of the reference face of half height h, of the box at `at`, in the world;
 * heights are `up` times those along its outward normal. */
static void boxes_patch_reference_frame(const boxes_face *r, double h,
                                        const perp_placed *at, double up, patch_pair *out)
{
    const double *R = at->R;

    vec3_set(out->s, R[r->u], R[3 + r->u], R[6 + r->u]);
    vec3_set(out->t, R[r->v], R[3 + r->v], R[6 + r->v]);
    vec3_set(out->n, r->side * R[r->axis], r->side * R[3 + r->axis],
             r->side * R[6 + r->axis]);
    vec3_add(at->x, h, out->n, out->origin);
    vec3_scale(up, out->n, out->n);
}

double boxes_clip_faces(const boxes *p)
{
    contact_query *m = p->query;
    patch_pair out;

    out.query = m;
    out.place = p->place;
    if (p->r_is_b) {
        const boxes_face r = boxes_face_of(p->face_b);
        const double *R = p->R;
        const double T[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
        const double back[3] = {-p->s[0], -p->s[1], -p->s[2]};

        boxes_patch_reference_frame(&r, p->g[r.axis], &m->b->at, -1.0, &out);
        boxes_patch_reference_patch(&r, p->g, &out.b);
        boxes_patch_incident_patch(&r, p->g[r.axis], T, back, p->h, -1.0, &out.a);
    } else {
        const boxes_face r = boxes_face_of(p->face_a);

        boxes_patch_reference_frame(&r, p->h[r.axis], &m->a->at, 1.0, &out);
        boxes_patch_reference_patch(&r, p->h, &out.a);
        boxes_patch_incident_patch(&r, p->h[r.axis], p->R, p->t, p->g, 1.0, &out.b);
    }
    patch_clip(&out);
    /* they may overlap, and no contact say so */
    return p->edges < -p->place && !(out.least <= 0.0) ? INFINITY : out.least;
}
