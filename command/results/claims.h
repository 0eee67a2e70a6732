/* SPDX-License-Identifier: Apache-2.0
 * command/results/claims.h: what other codes claim about their runs. */
#ifndef PERP_REPORT_CLAIMS_H
#define PERP_REPORT_CLAIMS_H

#include "section.h"

/** Per solver of another code: version, runs, claims, false claims. */
extern const report_section claims_section;

#endif
