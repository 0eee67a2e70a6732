/* SPDX-License-Identifier: Apache-2.0
 * report/fields.h: values of a stored run by name: what axes, series and columns are made of.
 *
 * A name is looked up in this order: a varied parameter ("mu", "dt", "scheme.stabilize"); one of
 * solver, instance, problem, set, tolerance, ending; a member of the record, with dots
 * ("energy.change", "measures.penetration.max", "work.products"). */
#ifndef PERP_REPORT_FIELDS_H
#define PERP_REPORT_FIELDS_H

#include "command/results/runs.h"

enum { FIELD_TEXT = 160 };

/** The member of the record, or NULL; borrowed. */
const json_t *run_field(const stored_run *run, const char *name);
/** As a number; NAN where it is none. */
double run_field_number(const stored_run *run, const char *name);
/** As a text, a number in its shortest form; "" where there is none. Returns `text`. */
char *run_field_text(const stored_run *run, const char *name, char text[FIELD_TEXT]);
/** Whether a run of the set (NULL: any) has it. */
bool runs_have_field(const stored_runs *s, const char *set, const char *name);
/** What an axis says: "time", "friction μ"; the name itself where it has no better one. */
const char *field_label(const char *name);
/** Its unit, of a varied parameter as stored in the records; "" without. */
const char *field_unit(const stored_runs *s, const char *name);

/** Parameters that vary in any run, in the order of their first occurrence; the names belong to
 *  the records. The caller frees list->names. */
void varied_fields(const stored_runs *s, name_list *list);

/** Does the run fulfil "mu=0.3,integrator=verlet,instance=Capsules*"? A value may contain commas;
 *  * and ? stand for any letters and any letter. "" is fulfilled by all. */
bool run_fulfils(const stored_run *run, const char *where);

#endif
