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
} perp_contacts;

/** The sums of a pass over the contacts. */
typedef struct perp_contact_sums {
    double dd, dCd, uphill, lag;
} perp_contact_sums;

/** Records of p, where A is in storage PAIRS and every block is a contact of three rows with
 *  arms; record is NULL where it is not. False without memory. */
bool perp_contacts_init(perp_contacts *c, const perp_problem *p, perp_workspace *ws);
/** Multiply the rows by their scales. */
void perp_contacts_scale(const perp_contacts *c, const double *scale);
/** b, C and mu again, with the scales of the rows. */
void perp_contacts_refresh(perp_contacts *c, const double *scale);
/** velocities := M^-1 momenta. */
void perp_contacts_divide(const perp_contacts *c, const double *momenta,
                          double *velocities);
/** momenta := J^T x */
void perp_contacts_momenta(const perp_contacts *c, const double *x, double *momenta);
/** next := P(y - g/L) and its momenta, with y = x + beta (x - before), and g from the
 *  velocities that y gives; shifts move to those of y by the part `follow`. */
perp_contact_sums perp_contacts_step(perp_contacts *c, double beta, double L,
                                     double follow, const double *velocities,
                                     const double *x, const double *before, double *next,
                                     double *momenta);

#endif
