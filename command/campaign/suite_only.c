/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_only.c: runs of a suite that are picked by their names: "SET/SOLVER/INSTANCE",
 * each part a glob; a part that is left out picks all. */
#include <config.h>

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/campaign/subject.h"

/* Part k of a pattern; the last part keeps its slashes. */
static void only_part(const char *pattern, int k, char *part, size_t length)
{
    const char *from = pattern;
    size_t count = 0;

    for (int i = 0; i < k && from; i++) {
        from = strchr(from, '/');
        from = from ? from + 1 : NULL;
    }
    count = from ? (k < 2 ? strcspn(from, "/") : strlen(from)) : 0;
    snprintf(part, length, "%.*s", (int)count, from ? from : "");
    if (!part[0]) {
        snprintf(part, length, "*");
    }
}

static bool only_picks(const char *pattern, const suite_run *run)
{
    char set[SUITE_CALL], solver[SUITE_CALL], entry[SUITE_CALL];
    char label[2 * SUITE_LABEL];

    only_part(pattern, 0, set, sizeof set);
    only_part(pattern, 1, solver, sizeof solver);
    only_part(pattern, 2, entry, sizeof entry);
    run->entry->type->label(run, label, sizeof label);
    return fnmatch(set, run->set->name, 0) == 0 &&
           (fnmatch(solver, label, 0) == 0 ||
            fnmatch(solver, run->solver->plain, 0) == 0 ||
            fnmatch(solver, run->solver->label, 0) == 0) &&
           (fnmatch(entry, run->entry->name, 0) == 0 ||
            fnmatch(entry, run->entry->problem, 0) == 0);
}

bool suite_picks(const suite *s, const suite_run *run)
{
    const size_t count = json_array_size(s->only);
    bool picked = count == 0;

    for (size_t k = 0; k < count && !picked; k++) {
        picked = only_picks(json_string_value(json_array_get(s->only, k)), run);
    }
    return picked;
}

/* Append ", name" unless it is there. */
static void only_append(char *list, size_t length, const char *name)
{
    size_t used = strlen(list), size = strlen(name);
    const char *at = strstr(list, name);

    while (at && at[size] && at[size] != ',') {
        at = strstr(at + 1, name);
    }
    if (!at && used + size + 3 < length) {
        snprintf(list + used, length - used, "%s%s", used ? ", " : "", name);
    }
}

static perp_status only_fail(const char *pattern, const suite_run *runs, size_t count,
                             perp_error *err)
{
    char sets[160] = "", solvers[200] = "";

    for (size_t i = 0; i < count; i++) {
        only_append(sets, sizeof sets, runs[i].set->name);
        only_append(solvers, sizeof solvers, runs[i].solver->plain);
    }
    return perp_fail(err, PERP_ERR_OPTION,
                     "option --only is \"%.80s\", which picks no run, expected "
                     "SET/SOLVER/INSTANCE; sets: %s; solvers: %s",
                     pattern, sets, solvers);
}

perp_status suite_only(suite *s, const char *pattern, perp_error *err)
{
    suite_run *runs = NULL;
    json_t *before = s->only;
    size_t count = 0, picked = 0;
    perp_status status = PERP_OK;

    s->only = NULL; /* all runs */
    status = suite_plan(s, &runs, &count, err);
    for (size_t i = 0; status == PERP_OK && i < count; i++) {
        picked += only_picks(pattern, &runs[i]);
    }
    if (status == PERP_OK && picked == 0) {
        status = only_fail(pattern, runs, count, err);
    }
    free(runs);
    s->only = before ? before : json_array();
    json_array_append_new(s->only, json_string(pattern));
    return status;
}
