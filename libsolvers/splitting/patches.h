/* SPDX-License-Identifier: Apache-2.0
 * splitting/patches.h: contact patches, the contacts of one pair of bodies, solved together where
 * all of them stick. Private. */
#ifndef PERP_SPLITTING_PATCHES_H
#define PERP_SPLITTING_PATCHES_H

#include "bodies.h"

/** Least and most contacts of a patch. */
enum { PATCH_LEAST = 3, PATCH_MOST = 8 };

/** What is known of a patch: it is prepared when it is first needed. */
typedef enum patch_state { PATCH_FOUND, PATCH_READY, PATCH_REFUSED } patch_state;

/** What a step needs of one contact. */
typedef struct patch_contact {
    double place[3]; /* its point seen from the mean, in its frame, divided by l; for a
                      * left-handed frame the negative */
    double scale;    /* 1/l */
    double mu, weight;
    bool turned; /* its frame is not that of the contact before */
} patch_contact;

/** Contacts at successive positions. Twists and wrenches are taken at the mean of their points:
 *  three numbers of the translation or the force, then three of the rotation or the torque.
 *  Symmetric matrices are stored as upper triangles by rows. */
typedef struct contact_patch {
    size_t first, count;
    patch_state state;
    patch_contact *contact;
    double arm[2][3];   /* from the centre of either body to the mean point */
    double b[6];        /* the twist that explains b best */
    double warp;        /* sum of squares of what it does not explain */
    double radius;      /* sum of squared distances of the points from their mean */
    double linear[6];   /* of the matrix from twists to wrenches: velocity to force, */
    double mixed[9];    /* velocity to torque, */
    double angular[6];  /* angular velocity to torque */
    double gyration[6]; /* inverse of sum |s|^2 I - s s^T over the points s */
} contact_patch;

/** Find the patches of q, which perp_bodies_setup has made. */
perp_status perp_patches_setup(bodies *q, perp_workspace *ws, perp_error *err);
/** b or the diagonal of A changed. */
void perp_patches_refresh(bodies *q);
/** Prepare a patch that was found: it is ready, or refused. */
void perp_patches_prepare(const bodies *q, contact_patch *patch);

/** Stop the relative motion of the two bodies by impulses on all contacts; false, and nothing is
 *  changed, where an impulse would leave its cone, or where b keeps the contacts from sticking
 *  together. */
bool perp_patches_step(const bodies *q, contact_patch *patch, double *z, double *change);

#endif
