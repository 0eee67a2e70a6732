/* SPDX-License-Identifier: Apache-2.0
 * tests/external/programs.c: programs that solve: what they get, what they say, what counts. */
#include <config.h>

#include <math.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runs.h"
#include "scarce.h"

TEST(a_program_solves)
{
    const perp_result *r = run_command(
        WRITE("{\"z\": [0.5, 0], \"claim\": \"solved\", \"seconds\": 1e-9, "
              "\"iterations\": 7, \"version\": \"mine 1\", \"reformulation\": \"none\"}"),
        "");

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->z[0], 0.5);
    CU_ASSERT_EQUAL(r->iterations, 7);
    CU_ASSERT_STRING_EQUAL(r->foreign.claim, "solved");
    CU_ASSERT_STRING_EQUAL(r->foreign.version, "mine 1");
    CU_ASSERT_STRING_EQUAL(r->foreign.reformulation, "none");
    CU_ASSERT_FALSE(r->foreign.false_claim);
}

/* Its own clock counts where it says less than the clock here; files and start do not. */
TEST(the_time_is_that_of_the_program_where_it_is_possible)
{
    const perp_result *r = run_command(
        "sleep 0.2; " WRITE("{\"z\": [0.5, 0], \"seconds\": 1e-6}"), "scale=off");

    CU_ASSERT_EQUAL(r->foreign.seconds, 1e-6);
    CU_ASSERT(r->foreign.wall_seconds >= 0.2);
    CU_ASSERT(r->seconds < 0.1);
    CU_ASSERT(r->seconds >= 1e-6);
    r = run_command("sleep 0.2; " WRITE("{\"z\": [0.5, 0], \"seconds\": 1e6}"), "");
    CU_ASSERT_EQUAL(r->foreign.seconds, 0.0);
    CU_ASSERT(r->seconds >= 0.2);
    CU_ASSERT(r->seconds < 1e3);
    r = run_command("sleep 0.2; " WRITE("{\"z\": [0.5, 0]}"), "");
    CU_ASSERT(r->seconds >= 0.2);
}

TEST(a_point_without_a_claim_is_judged)
{
    const perp_result *r = run_command(WRITE("{\"z\": [0.5, 0]}"), "");

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_STRING_EQUAL(r->foreign.claim, "");
    CU_ASSERT_FALSE(r->foreign.false_claim);
    r = expect(WRITE("{\"z\": [0.6, 0]}"), "", PERP_STALLED, "makes no claim");
    CU_ASSERT_FALSE(r->foreign.false_claim);
}

TEST(a_false_claim_is_shown_as_such)
{
    const perp_result *r = expect(WRITE("{\"z\": [0.6, 0], \"claim\": \"solved\"}"), "",
                                  PERP_STALLED, "false claim: residual");

    CU_ASSERT(r->foreign.false_claim);
    r = expect(WRITE("{\"z\": [null, 0], \"claim\": \"solved\"}"), "", PERP_STALLED,
               "z[0] is null, expected a number");
    CU_ASSERT(r->foreign.false_claim);
}

TEST(other_claims_are_outcomes)
{
    expect(WRITE("{\"z\": [0, 0], \"claim\": \"infeasible\", \"message\": \"says so\"}"),
           "", PERP_STALLED, "claims \"infeasible\": says so");
    expect(WRITE("{\"z\": [0, 0], \"claim\": \"iteration limit\"}"), "",
           PERP_ITERATION_LIMIT, "claims");
    expect(WRITE("{\"z\": [0, 0], \"claim\": \"time limit\"}"), "", PERP_TIME_LIMIT,
           "claims");
}

static bool always(const perp_problem *p)
{
    (void)p;
    return true;
}

static const perp_chain_row chain_rows[] = {
    {"everything", always,
     .steps = {"exec:\"exit 4\"", "exec:\"echo '{\\\"z\\\": [0.5, 0], \\\"version\\\": "
                                  "\\\"mine\\\"}' >$PERP_SOLUTION\""}},
    {.situation = NULL},
};

static const perp_solver_type chain_type = {
    .name = "programs",
    .family = "chain",
    .summary = "a program that fails, then one that solves",
    .reference = "",
    .sets = PERP_SETS(NONNEG),
    .laws = PERP_LAWS(COULOMB),
    .storages = PERP_STORAGES(DENSE),
    .chain = chain_rows,
};

TEST(programs_are_steps_of_a_chain)
{
    perp_result *r = NULL;
    perp_error err = {0};

    runs_folder();
    OK(perp_result_new(&r, 2, NULL));
    OK(perp_solve(&chain_type, test_lcp(2, A, b), NULL, r, &err));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_STRING_EQUAL(r->foreign.version, "mine");
    CU_ASSERT_EQUAL(runs_left(), 0);
}

TEST(a_start_is_handed_over)
{
    static const double start[2] = {0.5, 1.0 / 3.0};
    perp_result *r = NULL;
    perp_error err = {0};
    perp_problem *p = test_lcp(2, A, b);

    runs_folder();
    OK(perp_result_new(&r, 2, NULL));
    memcpy(r->z, start, sizeof start);
    OK(try_with(p,
                "set -- $(cat $PERP_START); echo "
                "\"{\\\"z\\\": [0, 0], \\\"reformulation\\\": \\\"$1\\\", "
                "\\\"version\\\": \\\"$2\\\"}\" >$PERP_SOLUTION",
                "", &r, &err));
    CU_ASSERT_EQUAL(strtod(r->foreign.reformulation, NULL), start[0]);
    CU_ASSERT_EQUAL(strtod(r->foreign.version, NULL), start[1]); /* to the bit */
}

TEST(the_environment_says_what_is_asked)
{
    static const char *const lines[] = {
        "PERP_FORMAT=json\n",       "PERP_TOLERANCE=0.001",
        "PERP_MAX_ITERATIONS=17\n", "PERP_TIME_LIMIT=60\n",
        "PERP_METHOD=env",          "PERP_OPTIONS=instance-format=json\n"};
    const char *path = test_scratch("environment");
    char command[512], text[4096] = "";
    FILE *f = NULL;
    const perp_result *r = NULL;

    setenv("PERP_TOLERANCE", "of an outer run", 1);
    snprintf(command, sizeof command,
             "env | grep ^PERP_ >%s; cat $PERP_INSTANCE >&2; exit 1", path);
    r = run_command(command, "instance-format=json,tolerance=0.001,"
                             "max-iterations=17,time-limit=60");
    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    f = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        if (!strstr(text, lines[k])) {
            test_note("%s is missing in\n%s", lines[k], text);
        }
        CU_ASSERT_PTR_NOT_NULL(strstr(text, lines[k]));
    }
    CU_ASSERT_PTR_NULL(strstr(text, "outer run"));
}

/* A = I, b = (-1, -2, 0), mu = 1/2. Coulomb: z = (1, 1/2, 0), w = (0, -3/2, 0). Associated: z is
 * the projection of -b onto the cone, (8/5, 4/5, 0). */
static perp_problem *one_contact(perp_law law)
{
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, from[3] = {-1, -2, 0};
    static const double mu[1] = {0.5};
    perp_problem *p = test_cones(3, 1, unit, from, mu);

    p->law = law;
    return p;
}

#define IF_LAW(law, z) "test $PERP_LAW = " law " && " WRITE("{\"z\": " z "}")

TEST(the_law_is_handed_over)
{
    perp_result *r = NULL;
    perp_error err = {0};

    runs_folder();
    CU_ASSERT_EQUAL(run_command(IF_LAW("none", "[0.5, 0]"), "")->outcome, PERP_SOLVED);
    OK(try_with(one_contact(PERP_LAW_COULOMB), IF_LAW("coulomb", "[1, 0.5, 0]"), "", &r,
                &err));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    memset(r->z, 0, 3 * sizeof *r->z);
    OK(try_with(one_contact(PERP_LAW_ASSOCIATED), IF_LAW("associated", "[1.6, 0.8, 0]"),
                "", &r, &err));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
}

/* The message of a program that these settings exclude from the problem; it is not started. */
static const char *excluded(const char *name, const perp_problem *p, const char *settings)
{
    static perp_error err;
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    const char *mark = test_scratch("started");

    err = (perp_error){0};
    OK(perp_solver_parse(name, &type, &opt, &err));
    OK(perp_options_parse(&opt, settings, &err));
    snprintf(opt.command, sizeof opt.command, ": >%.200s", mark);
    OK(perp_result_new(&r, p->n, NULL));
    CU_ASSERT_EQUAL(perp_solve(type, p, &opt, r, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_NOT_EQUAL(access(mark, F_OK), 0);
    return err.text;
}

TEST(a_problem_outside_of_what_is_declared_is_unsuitable)
{
    const perp_problem *coulomb = one_contact(PERP_LAW_COULOMB);
    const perp_problem *associated = one_contact(PERP_LAW_ASSOCIATED);

    runs_folder();
    CU_ASSERT_PTR_NOT_NULL(
        strstr(excluded("exec:x", associated, "laws=coulomb,sets=cone"),
               "takes no cones of the associated law"));
    CU_ASSERT_PTR_NOT_NULL(strstr(excluded("prox:exec:x", associated, "laws=coulomb"),
                                  "takes no cones of the associated law"));
    CU_ASSERT_PTR_NOT_NULL(strstr(excluded("ds:exec:x", coulomb, "laws=coulomb"),
                                  "takes no cones of the associated law"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(excluded("exec:x", coulomb, "sets=free,nonneg"), "takes no cone rows"));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        excluded("exec:x", test_lcp(2, A, b), "sets=cone,rolling"), "takes no nonneg"));
}

/* Where a reformulation leads to what is declared, the program gets its result. */
TEST(a_problem_is_reformulated_for_what_is_declared)
{
    perp_result *r = NULL;
    perp_error err = {0};

    runs_folder();
    OK(try_with(one_contact(PERP_LAW_COULOMB), IF_LAW("associated", "[1.6, 0.8, 0]"),
                "laws=associated", &r, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(r->path.step[0], "ds"));
    OK(try_with(one_contact(PERP_LAW_COULOMB), "test $PERP_LAW = none && exit 4",
                "sets=nonneg,friction=pyramid:4", &r, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "exit status 4"));
    CU_ASSERT_EQUAL(
        run_command(IF_LAW("none", "[0.5, 0]"), "laws=coulomb,sets=cone,nonneg")->outcome,
        PERP_SOLVED);
}

TEST(what_is_declared_is_a_name_of_a_list)
{
    static const char sets[] = "option \"sets\" has \"cones\", expected some of "
                               "free|nonneg|box|friction|cone|rolling|disk, separated by "
                               "commas";
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_error err = {0};
    unsigned bits = 0;

    CU_ASSERT_EQUAL(perp_solver_parse("exec:x sets=nonneg,cones", &type, &opt, &err),
                    PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, sets));
    OK(perp_solver_parse("exec:x laws=associated sets=cone,disk", &type, &opt, NULL));
    CU_ASSERT_EQUAL(perp_options_list(&opt, "sets"), PERP_SET_CONE | PERP_SET_DISK);
    CU_ASSERT_EQUAL(perp_options_list(&opt, "laws"), 1u << PERP_LAW_ASSOCIATED);
    for (size_t k = 0; k < 7; k++) { /* the names are those of the sets */
        const char *name = perp_set_kind_name((perp_set_kind)(1u << k));

        OK(perp_options_set(&opt, "sets", name, NULL));
        bits |= perp_options_list(&opt, "sets");
        CU_ASSERT_EQUAL(perp_options_list(&opt, "sets"), 1u << k);
    }
    CU_ASSERT_EQUAL(bits, type->sets.set_bits);
}

/* An instance may know its solution; a program that is compared must not. */
TEST(a_solution_that_is_known_is_not_handed_over)
{
    perp_problem *p = test_lcp(2, A, b);
    double z[2] = {0.5, 0.0};
    perp_point solution = {.z = z}, guess = {.z = z};
    perp_result *r = NULL;
    perp_error err = {0};
    perp_status status = PERP_OK;

    runs_folder();
    p->solution = &solution;
    p->guesses = &guess;
    p->guess_count = 1;
    status = try_with(p,
                      "grep -qE '\"(z|guess.*)\"' $PERP_INSTANCE && exit 3; "
                      "grep -q '\"b\"' $PERP_INSTANCE || exit 3",
                      "instance-format=json", &r, &err);
    p->solution = p->guesses = NULL;
    p->guess_count = 0;
    OK(status);
}

TEST(a_format_that_cannot_hold_the_problem_is_an_error)
{
    perp_result *r = NULL;
    perp_error err = {0};

    runs_folder();
    CU_ASSERT_EQUAL(try_with(test_boxed(4, 1), "true", "instance-format=fclib", &r, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_EQUAL(runs_left(), 0);
    CU_ASSERT_NOT_EQUAL(
        try_with(test_boxed(4, 1), "true", "instance-format=nothing", &r, &err), PERP_OK);
    CU_ASSERT_EQUAL(runs_left(), 0);
}

TEST(the_folder_is_kept_on_request)
{
    perp_result *r = NULL;
    perp_error err = {0};
    char command[4200];

    runs_folder();
    OK(try_with(test_lcp(2, A, b), WRITE("{\"z\": [0.5, 0]}"), "keep=on", &r, &err));
    CU_ASSERT_EQUAL(runs_left(), 1);
    snprintf(command, sizeof command, "rm -r %s/perp-*", runs_folder());
    CU_ASSERT_EQUAL(system(command), 0);
    CU_ASSERT_EQUAL(runs_left(), 0);
}

/* The folder of a run that is killed stays until another run begins. */
TEST(the_folder_of_a_killed_run_goes)
{
    perp_result *r = NULL;
    perp_error err = {0};
    pid_t child = fork();

    runs_folder();
    if (child == 0) {
        try_with(test_lcp(2, A, b), "kill -KILL $PPID", "", &r, &err);
        _exit(1);
    }
    waitpid(child, NULL, 0);
    CU_ASSERT_EQUAL(runs_left(), 1);
    OK(try_with(test_lcp(2, A, b), WRITE("{\"z\": [0.5, 0]}"), "", &r, &err));
    CU_ASSERT_EQUAL(runs_left(), 0);
}

typedef struct solver_thread {
    perp_result *r;
    perp_problem *p;
    const char *name;
    bool fine;
} solver_thread;

static void *solve_in_thread(void *context)
{
    solver_thread *s = context;
    char command[256];

    for (int k = 0; k < 5; k++) {
        snprintf(command, sizeof command,
                 WRITE("{\"z\": [0.5, 0], \"version\": \"%s%d\"}"), s->name, k);
        memset(s->r->z, 0, 2 * sizeof *s->r->z);
        s->fine = s->fine && try_with(s->p, command, "", &s->r, NULL) == PERP_OK &&
                  strncmp(s->r->foreign.version, s->name, 1) == 0 &&
                  s->r->foreign.version[1] == '0' + k && s->r->outcome == PERP_SOLVED;
    }
    return NULL;
}

TEST(two_threads_run_programs_at_once)
{
    pthread_t thread[2];
    solver_thread s[2] = {{.name = "a", .fine = true}, {.name = "b", .fine = true}};

    runs_folder();
    for (size_t k = 0; k < 2; k++) {
        s[k].p = test_lcp(2, A, b);
        OK(perp_result_new(&s[k].r, 2, NULL));
    }
    for (size_t k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[k], NULL, solve_in_thread, &s[k]),
                              0);
    }
    for (size_t k = 0; k < 2; k++) {
        pthread_join(thread[k], NULL);
        CU_ASSERT(s[k].fine);
    }
    CU_ASSERT_EQUAL(runs_left(), 0);
}

static perp_status solve_by_a_program(void *context, perp_error *err)
{
    perp_result *r = NULL;
    perp_status status = try_with(context, WRITE("{\"z\": [0.5, 0]}"), "", &r, err);

    CU_ASSERT(status == PERP_OK || status == PERP_ERR_MEMORY);
    CU_ASSERT_EQUAL(runs_left(), 0);
    return status;
}

TEST(survives_without_memory)
{
    runs_folder();
    clearenv(); /* a copy of each variable is an allocation */
    setenv("TMPDIR", runs_folder(), 1);
    setenv("PATH", "/usr/bin:/bin", 1);
    scarce_everywhere(solve_by_a_program, test_lcp(2, A, b), "exec");
}
