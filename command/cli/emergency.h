/* SPDX-License-Identifier: Apache-2.0
 * cli/emergency.h: what happens when a library crashes because memory is missing. */
#ifndef PERP_CLI_EMERGENCY_H
#define PERP_CLI_EMERGENCY_H

/** Called by main before anything else. A crash inside libhdf5 ends the program with one line and
 *  exit status 2, and its temporary files are removed; any other crash stays what it is. */
void emergency_prepare(void);

#endif
