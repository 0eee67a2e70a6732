/* SPDX-License-Identifier: Apache-2.0
 * gradient/descent.h: accelerated projected steps in a block-diagonal metric. Private.
 *
 *     y = x + beta (x - before);   next = P_K(y - D^-1 (A y + b)/L)   in the metric D
 *
 * D is d_n on the normal row of a contact with three rows, d_t on both tangential ones, 1
 * elsewhere: with x' = D^1/2 x the cone stays circular, mu' = mu (d_t/d_n)^1/2, and the
 * projection stays closed. d_n and d_t are the diagonal entries of A. All points and products
 * here are those of x'.
 *
 * A x, A before and their combination give A y. In storage PAIRS they are held as velocities and
 * momenta of the bodies, and one pass over the contacts computes all of a step: the
 * velocities, the gradient, the projection and the momenta of the result. It is divided into
 * chunks, whose sums are added in their order. Threads share the chunks; the momenta are then
 * gathered by bodies, each from its contacts in their order: the bits are the same. */
#ifndef PERP_GRADIENT_DESCENT_H
#define PERP_GRADIENT_DESCENT_H

#include "base/threads.h"
#include "contacts.h"
#include "project.h"

/** Sums of a step. */
typedef struct perp_descent_sums {
    double dd;     /* |next - y|^2 */
    double dAd;    /* (next - y).A (next - y) */
    double yAy;    /* y.A y, by which dAd is rounded */
    double uphill; /* (A y + b).(next - x) */
    double lag;    /* |shifts of y - shifts|^2 */
} perp_descent_sums;

/** A point and the product of A with it: n reals, or velocities and momenta of bodies. */
typedef struct perp_descent_point {
    double *x, *Ax, *momenta;
} perp_descent_point;

typedef struct perp_descent {
    const perp_problem *p;
    perp_projection projection; /* with the coefficients of x' */
    perp_contacts contacts;     /* in use where contacts.record is there */
    double *scale;  /* n: D^-1/2; this and the next vectors have a place more */
    double *b;      /* n: scaled */
    double *shift;  /* per block, without contacts; scaled */
    double follow;  /* part by which shifts move in a step; 0: there are none */
    double *scaled; /* n: scratch; with contacts: velocities of y */
    perp_descent_point at, before, next;
    /* with contacts: */
    perp_contact_step step;
    perp_contact_sums *contact_sums; /* of each chunk of contacts */
    perp_descent_sums *body_sums;    /* of each chunk of bodies: dAd and yAy */
    thread_team *team;               /* of the workspace; NULL: one thread */
} perp_descent;

/** Threads share the steps of many contacts. */
perp_status perp_descent_init(perp_descent *s, const perp_problem *p, size_t threads,
                              perp_workspace *ws, perp_error *err);
/** Read set, b and diagonal of A again. */
void perp_descent_refresh(perp_descent *s);
/** Begin at z, projected: at = before. */
void perp_descent_start(perp_descent *s, perp_result *r);
/** next, and the sums. With contacts r->z is that of next. */
perp_descent_sums perp_descent_step(perp_descent *s, double beta, double L,
                                    perp_result *r);
/** before = at, at = next, and z. */
void perp_descent_accept(perp_descent *s, double *z);
/** z of the point. */
void perp_descent_answer(const perp_descent *s, double *z);
/** A lower bound of the largest eigenvalue of D^-1/2 A D^-1/2: x.A x/x.x for x = 1. */
double perp_descent_curvature(perp_descent *s, perp_result *r);

#endif
