/* SPDX-License-Identifier: Apache-2.0
 * interior/kkt_velocity.h: what kkt.c uses of kkt_velocity.c. Private. */
#ifndef PERP_INTERIOR_KKT_VELOCITY_H
#define PERP_INTERIOR_KKT_VELOCITY_H

#include "kkt.h"

perp_status perp_ipm_kkt_setup_velocity(perp_ipm_kkt *k, bool symmetric,
                                        perp_workspace *ws, perp_error *err);
perp_status perp_ipm_kkt_factor_velocity(perp_ipm_kkt *k, const perp_slacks *slacks,
                                         perp_work *work, bool *done, perp_error *err);

#endif
