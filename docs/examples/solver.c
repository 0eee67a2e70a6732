#include <perp/extend.h>
#include <stdio.h>

static perp_status mine_setup(void *state, const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err)
{
    *(const perp_problem **)state = p;
    return PERP_OK;
}

static perp_status mine_iterate(void *state, perp_result *r, perp_error *err)
{
    const perp_problem *p = *(const perp_problem **)state;

    for (size_t i = 0; i < p->n; i++) { /* one sweep of Gauss-Seidel */
        double w = p->b[i];

        for (size_t j = 0; j < p->n; j++) {
            w += perp_operator_entry(p->A, i, j) * r->z[j];
        }
        r->z[i] -= w / perp_operator_diagonal(p->A, i);
        perp_set_project(p->set, i, r->z);
    }
    return PERP_OK;
}

static const perp_solver_type mine = {.name = "mine",
                                      .sets = PERP_SETS(NONNEG),
                                      .storages = PERP_STORAGES(DENSE),
                                      .demands = PERP_DEMANDS(POSITIVE_DIAGONAL),
                                      .check_every = 1,
                                      .state_size = sizeof(const perp_problem *),
                                      .setup = mine_setup,
                                      .iterate = mine_iterate};

int main(void)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    perp_problem *p = NULL;
    perp_result *r = NULL;
    perp_options opt;

    perp_problem_new_dense(&p, 2, M, 2, q, NULL, PERP_LAW_COULOMB, PERP_BORROW, NULL);
    perp_result_new(&r, 2, NULL);
    perp_solve(&mine, p, NULL, r, NULL); /* NULL: its own options */
    printf("mine: %s, %.4f %.4f\n", perp_outcome_text(r->outcome), r->z[0], r->z[1]);

    perp_options_init(&opt, perp_solver_find("prox"), &mine, NULL); /* prox:mine */
    perp_result_restart(r);
    r->z[0] = r->z[1] = 0;
    perp_solve(opt.solver, p, &opt, r, NULL);
    printf("prox:mine: %s, %.4f %.4f\n", perp_outcome_text(r->outcome), r->z[0], r->z[1]);
    perp_result_free(r);
    perp_problem_free(p);
    return 0;
}
