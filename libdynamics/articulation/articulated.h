/* SPDX-License-Identifier: Apache-2.0
 * articulation/articulated.h: link data of the algorithms. Private.
 *
 * All quantities are in world axes, at the origin o of the joint frame of each link,
 * where the joint twists are S of the mobilizer, rotated to world axes. Transforms then
 * contain no rotation: from a link to its parent there is only a shift by d = o -
 * o_parent:
 *
 *     a_k = X a_p + S qdd,   X = [E -[d]x; 0 E],   f_p = X^T f_k,   a = (vdot, omegadot)
 *
 * Vectors of six are (linear, angular). An inertia is [M H; H^T J], M and J symmetric. */
#ifndef PERP_ARTICULATION_ARTICULATED_H
#define PERP_ARTICULATION_ARTICULATED_H

#include <perp/dynamics/articulation.h>

#include "math/math.h"

/* xx, xy, xz, yy, yz, zz */
typedef double sym3[6];

typedef struct articulated_inertia {
    sym3 M;
    double H[9];
    sym3 J;
} articulated_inertia;

/* Joints with one coordinate have closed forms; `slide` without a coordinate is a fixed
 * joint. */
typedef enum articulated_kind {
    ARTICULATED_TURN,
    ARTICULATED_SLIDE,
    ARTICULATED_ANY,
} articulated_kind;

/* Constants of a link. */
typedef struct articulated_constants {
    /* R = R_p (constant + cos q cosine + sin q sine); the tenth number is padding, so
     * that the length is even */
    double constant[10], cosine[10], sine[10];
    double offset[3]; /* d = R_p (offset + q slide) */
    double slide[3];
    double axis[3]; /* body axes */
    double l[3];    /* centre of mass from o, body axes */
} articulated_constants;

typedef struct articulated_link {
    articulated_kind kind;
    int32_t parent;
    uint32_t dof;
    bool leaf;    /* carries nothing */
    bool last;    /* the first of its parent's children in the inward order */
    size_t first; /* its first coordinate */
    size_t block; /* start of its dof x dof numbers */
    double m;
    double d[3];   /* o minus o of the parent; for a root: minus o of the base */
    double rho[3]; /* centre of mass from o */
    double v[3];   /* of o */
    double omega[3];
    double c[6]; /* the part of a_k without qdd and a_p */
    double p[6]; /* scratch: a force */
    double a[6]; /* scratch: an acceleration */
    sym3 J0;     /* inertia about o, body axes */
    sym3 J;      /* the same in world axes, if own->turned */
} articulated_link;

/* Articulated inertia of a link and its descendants, at its o. */
typedef struct articulated_load {
    articulated_inertia I;
    double size_M, size_J; /* its size before joints reduced it */
} articulated_load;

/* Ancestors of a coordinate: start .. above without gap, then the ancestors of start. */
typedef struct articulated_run {
    int32_t above, start; /* above: -1 for none */
} articulated_run;

/* A rigid body's mass, first moment and inertia about an o. */
typedef struct articulated_body {
    double m, h[3];
    sym3 J;
} articulated_body;

typedef struct articulated_own {
    articulated_link *links;
    articulated_constants *constants;
    articulated_load *loads;  /* articulated ones */
    articulated_run *runs;    /* n */
    articulated_body *bodies; /* composite ones */
    double *armature;         /* n */
    char **names;             /* 2 per link: its name, and the name of its joint or
                               * NULL */
    double *S;                /* 6 a coordinate */
    double *T;                /* 6 per coordinate: S at a point common to all links */
    double *G;                /* 6 per coordinate: U D^-1 */
    double *inverse;          /* D^-1, dof x dof per link */
    double *x, *y;            /* n each, scratch */
    size_t blocks;            /* sum of dof x dof */
    double dt;                /* of the factors */
    bool factored;
    bool turned;  /* inertias of the links are in world axes */
    bool borrows; /* a copy: the model belongs to another tree */
} articulated_own;

static inline articulated_own *articulated_of(const perp_articulation *tree)
{
    return tree->own;
}

/* out := A x, A symmetric; out may not be x. */
static inline void sym3_apply(const sym3 A, const double x[3], double out[3])
{
    out[0] = A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
    out[1] = A[1] * x[0] + A[3] * x[1] + A[4] * x[2];
    out[2] = A[2] * x[0] + A[4] * x[1] + A[5] * x[2];
}

/* out := R A R^T. */
static inline void sym3_turn(const double R[9], const sym3 A, sym3 out)
{
    double T[9];

    sym3_apply(A, R, T);
    sym3_apply(A, R + 3, T + 3);
    sym3_apply(A, R + 6, T + 6);
    out[0] = vec3_dot(T, R);
    out[1] = vec3_dot(T, R + 3);
    out[2] = vec3_dot(T, R + 6);
    out[3] = vec3_dot(T + 3, R + 3);
    out[4] = vec3_dot(T + 3, R + 6);
    out[5] = vec3_dot(T + 6, R + 6);
}

/* out := a^T B. */
static inline void row_multiply(const double a[3], const double B[9], double out[3])
{
    const double x = a[0] * B[0] + a[1] * B[3] + a[2] * B[6];
    const double y = a[0] * B[1] + a[1] * B[4] + a[2] * B[7];
    const double z = a[0] * B[2] + a[1] * B[5] + a[2] * B[8];

    vec3_set(out, x, y, z);
}

/* out := A B without loops, which compilers keep at -O2. */
static inline void mat3_product(const double A[9], const double B[9], double out[9])
{
    row_multiply(A, B, out);
    row_multiply(A + 3, B, out + 3);
    row_multiply(A + 6, B, out + 6);
}

/* out += a x b. */
static inline void vec3_cross_add(const double a[3], const double b[3], double out[3])
{
    out[0] += a[1] * b[2] - a[2] * b[1];
    out[1] += a[2] * b[0] - a[0] * b[2];
    out[2] += a[0] * b[1] - a[1] * b[0];
}

static inline double six_dot(const double a[6], const double b[6])
{
    return vec3_dot(a, b) + vec3_dot(a + 3, b + 3);
}

/* out := X a. */
static inline void six_outward(const double d[3], const double a[6], double out[6])
{
    vec3_copy(out, a);
    vec3_copy(out + 3, a + 3);
    vec3_cross_add(a + 3, d, out);
}

/* out += X^T f. */
static inline void six_inward_add(const double d[3], const double f[6], double out[6])
{
    vec3_add(out, 1.0, f, out);
    vec3_add(out + 3, 1.0, f + 3, out + 3);
    vec3_cross_add(d, f, out + 3);
}

/* out := I x. */
static inline void inertia_apply(const articulated_inertia *I, const double x[6],
                                 double out[6])
{
    double t[3];

    sym3_apply(I->M, x, out);
    mat3_apply(I->H, x + 3, t);
    vec3_add(out, 1.0, t, out);
    sym3_apply(I->J, x + 3, out + 3);
    mat3_apply_transposed(I->H, x, t);
    vec3_add(out + 3, 1.0, t, out + 3);
}

/* Allocate the memory of all varying data; false: no memory. */
bool articulated_moving(perp_articulation *tree, size_t count, size_t n, size_t blocks);
/* Check links, except for cycles. */
perp_status articulated_check(const perp_link *links, size_t count, perp_error *err);
/* Check that every joint moves a mass, an inertia or a rotor. `heavy`: count zeros. */
perp_status articulated_weigh(const perp_articulation *tree, uint8_t *heavy,
                              perp_error *err);
/* Inertias of the links in world axes, once per state. */
void articulated_turn(const perp_articulation *tree);
/* Inertia of the link without its descendants. */
static inline void articulated_rigid(const articulated_link *link, articulated_inertia *I)
{
    const double m = link->m;
    const double x = m * link->rho[0];
    const double y = m * link->rho[1];
    const double z = m * link->rho[2];

    *I = (articulated_inertia){
        .M = {m, 0.0, 0.0, m, 0.0, m},
        .H = {0.0, z, -y, -z, 0.0, x, y, -x, 0.0},
    };
    memcpy(I->J, link->J, sizeof I->J);
}
/* In large branching trees parents are far away in memory: their data are prefetched some
 * links ahead. */
enum { ARTICULATED_AHEAD = 8 };

static inline void articulated_fetch(const void *start, size_t bytes)
{
#if defined(__GNUC__)
    for (size_t i = 0; i < bytes; i += 64) {
        __builtin_prefetch((const char *)start + i, 1);
    }
#else
    (void)start;
    (void)bytes;
#endif
}

/* The parent of the link this many links after k (outwards) or before it, or -1. */
static inline int32_t articulated_next_out(const articulated_own *own, size_t k,
                                           size_t count)
{
    return k + ARTICULATED_AHEAD < count ? own->links[k + ARTICULATED_AHEAD].parent : -1;
}

static inline int32_t articulated_next_in(const articulated_own *own, size_t k)
{
    return k >= ARTICULATED_AHEAD ? own->links[k - ARTICULATED_AHEAD].parent : -1;
}

/* out := X^T I X. */
static inline void articulated_shift(const articulated_inertia *I, const double d[3],
                                     articulated_inertia *out)
{
    const double *M = I->M;
    const double *H = I->H;
    const double *J = I->J;
    const double x = d[0];
    const double y = d[1];
    const double z = d[2];
    /* H - M [d]x: a row a of M gives a x d */
    const double K[9] = {
        H[0] - (M[1] * z - M[2] * y), H[1] - (M[2] * x - M[0] * z),
        H[2] - (M[0] * y - M[1] * x), H[3] - (M[3] * z - M[4] * y),
        H[4] - (M[4] * x - M[1] * z), H[5] - (M[1] * y - M[3] * x),
        H[6] - (M[4] * z - M[5] * y), H[7] - (M[5] * x - M[2] * z),
        H[8] - (M[2] * y - M[4] * x),
    };

    out->J[0] = J[0] - (H[3] * z - H[6] * y) + (y * K[6] - z * K[3]);
    out->J[1] = J[1] - (H[6] * x - H[0] * z) + (y * K[7] - z * K[4]);
    out->J[2] = J[2] - (H[0] * y - H[3] * x) + (y * K[8] - z * K[5]);
    out->J[3] = J[3] - (H[7] * x - H[1] * z) + (z * K[1] - x * K[7]);
    out->J[4] = J[4] - (H[1] * y - H[4] * x) + (z * K[2] - x * K[8]);
    out->J[5] = J[5] - (H[2] * y - H[5] * x) + (x * K[5] - y * K[2]);
    memcpy(out->M, M, sizeof out->M);
    memcpy(out->H, K, sizeof out->H);
}
/* Write the twists of links for rates qd to a (at o); `base`: including the bases. */
void articulated_twists(const perp_articulation *tree, const double *qd, bool base);
/* p: forces at o that each link alone needs for qdd = 0 under this gravity, minus f
 * (NULL: 0). Rotates inertias to world axes if necessary. */
void articulated_forces(const perp_articulation *tree, const double gravity[3],
                        const double *f);
/** perp_articulation_aba with another gravity than that of the tree. */
perp_status articulated_aba(perp_articulation *tree, const double gravity[3],
                            const double *tau, const double *f, double *qdd,
                            perp_error *err);
/* Compute D^-1 and G of link k and add its inertia to that of its parent; call it from
 * the last link to the first. False: singular. */
bool articulated_factor_link(const perp_articulation *tree, size_t k, double dt);
perp_status articulated_singular(const perp_articulation *tree, size_t k,
                                 perp_error *err);
/* rate := dS/dt of link k in world axes, 6 x dof, linear part first. */
void articulated_motion_rate(const perp_articulation *tree, size_t k, double *rate);
/* The velocity (v, omega) at its centre of mass of a link with the twist a at o. */
static inline void articulated_at_mass(const articulated_link *link, const double a[6],
                                       double u[6])
{
    vec3_copy(u, a);
    vec3_copy(u + 3, a + 3);
    vec3_cross_add(a + 3, link->rho, u);
}

/** Poses and velocities of all links from q and qd, after chart switches if `may_switch`.
 *  As perp_articulation_update, but factors and inertias in world axes stay valid. */
perp_status articulated_kinematics(perp_articulation *tree, bool may_switch,
                                   perp_error *err);
/** Update after qd changed but q did not: poses, S and the factors of H stay valid. */
perp_status articulated_speeds(perp_articulation *tree, perp_error *err);

/** Create a copy with its own coordinates, which are those of `from`. It borrows the
 *  links of `from`. PERP_ERR_MEMORY: *tree is NULL. */
perp_status articulated_copy(perp_articulation **tree, const perp_articulation *from,
                             perp_error *err);
/** Copy the present values of `from` to such a copy; its factors must then be computed
 *  again. */
void articulated_follow(perp_articulation *tree, const perp_articulation *from);
/** qd whose velocities are nearest to u (6 per link), joint by joint from the base; exact
 *  if the joints allow u. PERP_ERR_DATA: a singularity. */
perp_status articulated_fit_rates(const perp_articulation *tree, const double *u,
                                  double *qd, perp_error *err);

#endif
