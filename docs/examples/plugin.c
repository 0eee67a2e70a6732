#include <perp/plugin.h>

/* z := the projection of z - t (A z + b) on the set, t = step/trace A */
typedef struct mine {
    const perp_problem *p;
    double *w, step;
} mine;

static perp_status mine_setup(void *state, const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err)
{
    mine *s = state;
    double trace = 0;

    for (size_t i = 0; i < p->n; i++) {
        trace += perp_operator_diagonal(p->A, i);
    }
    s->p = p;
    s->w = perp_workspace_reals(ws, p->n);
    s->step = perp_options_real(opt, "step") / trace;
    return perp_workspace_status(ws, err);
}

static perp_status mine_iterate(void *state, perp_result *r, perp_error *err)
{
    const mine *s = state;

    perp_operator_apply(s->p->A, r->z, s->w);
    r->work.products++;
    for (size_t i = 0; i < s->p->n; i++) {
        r->z[i] -= s->step * (s->w[i] + s->p->b[i]);
    }
    for (size_t k = 0; k < s->p->set->count; k++) {
        perp_set_project(s->p->set, k, r->z);
    }
    return PERP_OK;
}

static const perp_option mine_options[] = {
    PERP_REAL_OPEN("step", 1, 0, 2, "length of a step, relative to 1/trace A"),
    PERP_OPTION_END,
};

static const perp_solver_type solver = {
    .name = "mine",
    .family = "gradient",
    .summary = "projected gradient method with steps of one length",
    .reference = "",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE),
    .laws = PERP_LAWS(ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .check_every = 10,
    .max_iterations = 100000,
    .options = mine_options,
    .state_size = sizeof(mine),
    .setup = mine_setup,
    .iterate = mine_iterate,
};

PERP_PLUGIN_SOLVERS(&solver);
