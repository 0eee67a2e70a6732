/* SPDX-License-Identifier: Apache-2.0
 * gradient/contacts.h: steps of a first-order method in one pass over the contacts. Private.
 *
 *     u_k = F_k (v_j + w_j x p_kj - v_i - w_i x p_ki),   f_j += F_k^T z_k, ...
 *
 * A contact of bodies i and j with orthogonal rows F_k and arms p is 25 numbers. */
#ifndef PERP_GRADIENT_CONTACTS_H
#define PERP_GRADIENT_CONTACTS_H

#include "core/solvers.h"

typedef struct perp_contact_record {
    double F[9];       /* rows of J under the velocity of the second body, scaled */
    double first[3];   /* arm of the first body */
    double second[3];  /* arm of the second */
    double b[3], C[3]; /* scaled */
    double shift;      /* of Coulomb's law, on the normal */
    double mu, shrink; /* of the scaled cone; 1/(1 + mu^2) */
    int32_t body[2];   /* `still` for what never moves */
} perp_contact_record;

typedef struct perp_contacts {
    const perp_problem *p;
    size_t count, bodies;        /* `still` is number `bodies` */
    perp_contact_record *record; /* NULL: the problem has another form */
    size_t *start;               /* bodies + 1; NULL until sides are listed */
    uint32_t
        *side; /* of body k from start[k] on: 2 contact + (0: first body, 1: second) */
    double
        *push; /* 12 per contact: impulse and moment on its first body, on its second */
} perp_contacts;

/** The data of a step, and the sums of a part of its contacts. */
typedef struct perp_contact_step {
    double beta, L, follow;
    const double *velocities; /* of y */
    const double *x, *before;
    double *next;
    const double *scale; /* of the rows */
    double *z;           /* scale next */
    double *momenta;     /* those of next are added; NULL: to be gathered */
} perp_contact_step;
typedef struct perp_contact_sums {
    double dd, dCd, uphill, lag;
} perp_contact_sums;

/** Records of p, where A is in storage PAIRS and every block is a contact of three rows with
 *  arms; record is NULL where it is not. False without memory. */
bool perp_contacts_init(perp_contacts *c, const perp_problem *p, perp_workspace *ws);
/** List the sides of contacts by bodies; false without memory. */
bool perp_contacts_list(perp_contacts *c, perp_workspace *ws);
/** Multiply the rows by their scales. */
void perp_contacts_scale(const perp_contacts *c, const double *scale);
/** b, C and mu again, with the scales of the rows. */
void perp_contacts_refresh(perp_contacts *c, const double *scale);
/** velocities := M^-1 momenta, of bodies from .. to-1. */
void perp_contacts_divide(const perp_contacts *c, size_t from, size_t to,
                          const double *momenta, double *velocities);
/** momenta := J^T x */
void perp_contacts_momenta(const perp_contacts *c, const double *x, double *momenta);
/** momenta of bodies from .. to-1 by the impulses of a step, added in the order of contacts: the
 *  bits are those of a step that adds them. */
void perp_contacts_gather(const perp_contacts *c, size_t from, size_t to,
                          double *momenta);
/** next := P(y - g/L) of contacts from .. to-1, with y = x + beta (x - before), and g from the
 *  velocities that y gives; z is written as well; shifts move to those of y by the part `follow`. */
perp_contact_sums perp_contacts_step(const perp_contacts *c, const perp_contact_step *s,
                                     size_t from, size_t to);

#endif
