/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies_record.h: what a contact in space keeps behind its three rows of K, with the
 * proximal term in S, nt and W_nn as in local_cone. Private. */
#ifndef PERP_SPLITTING_BODIES_RECORD_H
#define PERP_SPLITTING_BODIES_RECORD_H

#include "bodies.h"

enum {
    RECORD_INV_NN,        /* 1/W_nn */
    RECORD_NT,            /* 2: W_nt/W_nn */
    RECORD_S11 = 3,       /* S = W_tt - W_tn W_nt/W_nn, symmetric */
    RECORD_S12,           /* */
    RECORD_S22,           /* */
    RECORD_INV_DET,       /* 1/det S */
    RECORD_MU,            /* slope of the cone */
    RECORD_GUESS,         /* |u_t|/|r_t| when last sliding */
    RECORD_WEIGHT,        /* mean diagonal of the block */
    RECORD_B,             /* 3: of b */
    RECORD_C = 13,        /* 3: of C */
    RECORD_CONE = 36 + 16 /* numbers of a record in all */
};

#endif
