#include <perp/perp.h>
#include <stdio.h>

typedef struct mine { /* z := the projection of z - (A z + b)/trace A on the set */
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
    *s = (mine){p, perp_workspace_reals(ws, p->n), 1 / trace};
    return perp_workspace_status(ws, err);
}

static perp_status mine_iterate(void *state, perp_result *r, perp_error *err)
{
    const mine *s = state;

    perp_operator_apply(s->p->A, r->z, s->w);
    for (size_t i = 0; i < s->p->n; i++) {
        r->z[i] -= s->step * (s->w[i] + s->p->b[i]);
    }
    for (size_t k = 0; k < s->p->set->count; k++) {
        perp_set_project(s->p->set, k, r->z);
    }
    return PERP_OK;
}

static const perp_solver_type solver = {
    .name = "mine",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE),
    .laws = PERP_LAWS(ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_SEMIDEFINITE),
    .check_every = 10,
    .max_iterations = 100000,
    .state_size = sizeof(mine),
    .setup = mine_setup,
    .iterate = mine_iterate,
};

int main(int argc, char **argv) /* the problem in FILE, by mine and by prox:mine */
{
    const perp_solver_type *outer = perp_solver_find("prox");
    perp_problem *p = NULL;
    perp_result *r = NULL, *s = NULL;
    perp_options opt;
    perp_error err = {0};
    perp_status status = argc == 2 ? perp_problem_read(&p, argv[1], NULL, NULL, &err)
                                   : perp_fail(&err, PERP_ERR_ARGUMENT, "FILE");

    if (status == PERP_OK && (status = perp_result_new(&r, p->n, &err)) == PERP_OK) {
        status = perp_solve(&solver, p, NULL, r, &err); /* NULL: its defaults */
    }
    if (status == PERP_OK && (status = perp_result_new(&s, p->n, &err)) == PERP_OK) {
        perp_options_init(&opt, outer, &solver); /* prox:mine */
        status = perp_solve(outer, p, &opt, s, &err);
    }
    if (status == PERP_OK) {
        printf("mine: %s\nprox:mine: %s\n", perp_outcome_text(r->outcome),
               perp_outcome_text(s->outcome));
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    perp_result_free(s);
    perp_result_free(r);
    perp_problem_free(p);
    return status != PERP_OK;
}
