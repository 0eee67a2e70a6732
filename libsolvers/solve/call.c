/* SPDX-License-Identifier: Apache-2.0
 * solve/call.c: another code whose answer misses the tolerance is called for a smaller one.
 *
 * Its errors are in another norm than the residual, so that an answer that it takes for solved can
 * miss the tolerance by a small factor. Where only given limits end a solve (option end-by), it is
 * called again from the same start, for a tenth of the tolerance or less as the residual suggests,
 * until the judge confirms its claim, it makes none, or the time is used. The seconds of the
 * result are those of the last call, as if its factor had been given; all calls together
 * have the time limit. A given tolerance-factor is not changed. */
#include <config.h>

#include "external/external.h"
#include "judge/judge.h"
#include "loop.h"

/* Calls in a row with one residual: a direct method has no use for a tolerance. */
enum { CALL_SAME = 3 };

/* The largest and the least share of the tolerance of the last call, between which half of what the
 * residual suggests is taken; and the least tolerance that doubles can reach. */
static const double call_most = 0.1, call_steepest = 1e-3, call_least = 1e-16;

static bool call_searches(const perp_loop *l)
{
    const perp_options *opt = &l->plan.opt;
    const volatile int *interrupt = opt->interrupt;

    return !opt->inner && perp_external_find(l->plan.type->name, NULL) &&
           perp_options_end_by_limits(opt) &&
           !perp_options_given(opt, "tolerance-factor") && !(interrupt && *interrupt);
}

/* The claim of the least residual: it stands where no call does better. */
static void call_keep_claim(perp_loop *l)
{
    if (l->at_best || l->claimed.calls == 0) {
        l->claimed = l->inner->foreign;
        memcpy(l->claimed_reason, l->inner->reason, sizeof l->claimed_reason);
    }
    l->called_same =
        l->r->residual == l->called_residual && l->called_same ? l->called_same + 1 : 1;
    l->called_residual = l->r->residual;
}

/* The end of a call that is not better than an earlier one. */
static void call_restore_claim(perp_loop *l)
{
    perp_foreign *f = &l->inner->foreign;

    memcpy(f->claim, l->claimed.claim, sizeof f->claim);
    memcpy(f->version, l->claimed.version, sizeof f->version);
    memcpy(f->reformulation, l->claimed.reformulation, sizeof f->reformulation);
    f->factor = l->claimed.factor;
    l->inner->outcome = PERP_SOLVED; /* it claims so */
    memcpy(l->inner->reason, l->claimed_reason, sizeof l->inner->reason);
    l->r->residual = l->r->run.best_residual;
}

/* Make the call that has ended a part of the search; false when there is no time for another. */
static bool call_prepare(perp_loop *l)
{
    perp_foreign *f = &l->inner->foreign;
    double seconds = f->seconds > 0.0 ? f->seconds : f->wall_seconds;
    double share = 0.5 * l->tolerance / l->r->residual;
    double factor = f->factor * fmax(fmin(share, call_most), call_steepest);

    if (l->called_same == CALL_SAME || !(factor * l->tolerance >= call_least) ||
        (l->time_limit > 0.0 && f->search_seconds + seconds >= l->time_limit)) {
        return false;
    }
    f->search_seconds += seconds;
    f->overhead_seconds += seconds;
    f->factor = factor;
    l->inner->iterations = l->started;
    return true;
}

bool perp_loop_call_again(perp_loop *l)
{
    bool history = l->keep_history;

    if (l->inner->outcome == PERP_RUNNING || !call_searches(l)) {
        return false;
    }
    if (!l->judged) {
        l->keep_history = false; /* the last sample is recorded at the end */
        perp_loop_judge(l, 0);
        l->keep_history = history;
    }
    if (l->r->residual <= l->tolerance) {
        return false;
    }
    if (l->inner->outcome == PERP_SOLVED) {
        call_keep_claim(l);
        if (call_prepare(l)) {
            return true;
        }
    }
    if (l->claimed.calls > 0) {
        call_restore_claim(l);
    }
    return false;
}
