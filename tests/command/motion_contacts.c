/* SPDX-License-Identifier: Apache-2.0
 * tests/command/motion_contacts.c: what contacts do in a motion, in every model: they slide, stick or
 * are open, with the impulses and residuals of the step; so in a problem of contacts, and in a run at work. */
#include <config.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perp/dynamics/step.h>

#include "command/view/motion.h"
#include "motions.h"

/* A box that starts at 1 m/s with friction 0.5 slides for 0.2 s, then stays. */
static const char slides[] =
    "{\"name\": \"slides\", \"time\": 0.5, \"solver\": \"nsgs\", \"scheme\": {\"dt\": "
    "0.01,"
    " \"margin\": 0.02}, \"ground\": {}, \"bodies\": [{\"name\": \"box\", \"mass\": 2,"
    " \"position\": [0, 0, 0.5], \"velocity\": [1, 0, 0],"
    " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]},"
    "{\"name\": \"high\", \"mass\": 1, \"position\": [5, 0, 0.51], \"gravity\": 0,"
    " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]}]}";

/* What those contacts of the box do in a frame that carry: all the same. Rigid contacts need not
 * all carry. Those of the body above the ground are open. */
static motion_status doing(const motion *m, size_t frame)
{
    motion_status status = MOTION_OPEN;
    size_t seen = 0;

    for (uint64_t k = motion_first_contact(m, frame); k < m->contact_end[frame]; k++) {
        const motion_contact *c = &m->contacts[k];
        const bool high = c->body[0] == 1 || c->body[1] == 1;

        if (high) {
            CU_ASSERT_EQUAL(c->status, MOTION_OPEN);
            continue;
        }
        seen++;
        if (c->status != MOTION_OPEN) {
            CU_ASSERT(status == MOTION_OPEN || c->status == status);
            CU_ASSERT(fabs(c->impulse[2]) > 1e-6);
            status = c->status;
        } else {
            CU_ASSERT(fabs(c->impulse[2]) < 1e-6); /* of 0.2 N s per step */
        }
    }
    CU_ASSERT_EQUAL(seen, 4);
    return status;
}

TEST(contacts_slide_then_stick_in_each_model)
{
    static const char *const models[] = {"--friction=coulomb", "--friction=pyramid:8",
                                         "--friction=box", "--friction=associated",
                                         "--friction=none"};
    static const char *const solvers[] = {"nsgs", "auto", "auto", "auto", "auto"};

    for (size_t k = 0; k < 5; k++) {
        char model[32], solver[32];
        char *argv[] = {model, solver};

        snprintf(model, sizeof model, "%s", models[k]);
        snprintf(solver, sizeof solver, "--solver=%s", solvers[k]);
        motion *m = moved("motion-slides", slides, 2, argv);
        test_note("%s", model);
        CU_ASSERT_EQUAL_FATAL(m->frame_count, 51);
        CU_ASSERT_EQUAL(doing(m, 5), MOTION_SLIDING);
        CU_ASSERT_EQUAL(doing(m, 50), k == 4 ? MOTION_SLIDING : MOTION_STICKING);
        const motion_contact *c = &m->contacts[motion_first_contact(m, 5)];
        CU_ASSERT_DOUBLE_EQUAL(fabs(c->normal[2]), 1.0, 1e-12);
        CU_ASSERT_EQUAL(c->mu, k == 4 ? c->mu : 0.25);
        motion_free(m);
    }
}

/* "contact NAME/world: t2" of a body with a name of 200 bytes. */
TEST(names_of_rows_are_never_cut)
{
    static const char text[] =
        "{\"solver\": \"nsgs\", \"scheme\": {\"dt\": 0.01}, \"ground\": {}, \"bodies\": ["
        "{\"name\": \"" NAME_200 "\", \"density\": 1, \"position\": [0, 0, 0.5],"
        " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]}]}";
    const char *dir = fresh("motion-names");
    char path[4096], *name = NULL;
    trajectory_file f;
    sim_summary s;

    OK(run_into(dir, text, 1, (char *[]){(char[]){"--steps=1"}}, &s, NULL));
    open_run(&f, dir, path);
    name = calloc(f.name_room + 1, 1);
    CU_ASSERT_EQUAL_FATAL(f.count[TRAJECTORY_NAME], 3);
    OK(trajectory_read(&f, TRAJECTORY_LAMBDA_NAMES, NULL, 2, 1, name));
    CU_ASSERT_PTR_NOT_NULL(strstr(name, NAME_200));
    CU_ASSERT_STRING_EQUAL(name + strlen(name) - 4, ": t2");
    free(name);
    trajectory_shut(&f);
}

/* The residual of a step is the largest of its blocks, but for the allowance for rounding. */
TEST(residuals_of_contacts_are_on_the_scale_of_the_step)
{
    char *argv[] = {(char[]){"--tolerance=1e-4"}};
    motion *m = moved("motion-residuals", slides, 1, argv);
    const motion_metric *residual = NULL;
    size_t compared = 0;

    for (size_t k = 0; k < m->metric_count; k++) {
        residual =
            strcmp(m->metrics[k].name, "residual") == 0 ? &m->metrics[k] : residual;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(residual);
    for (size_t f = 1; f < m->frame_count; f++) {
        double most = 0.0;

        for (uint64_t k = motion_first_contact(m, f); k < m->contact_end[f]; k++) {
            most = fmax(most, m->contacts[k].residual);
        }
        CU_ASSERT_DOUBLE_EQUAL(most, residual->value[m->step[f]], 1e-13);
        compared += most > 1e-10;
    }
    CU_ASSERT(compared > 0); /* or nothing was compared */
    motion_free(m);
}

/* The problem of a step, shown, has the impulses that the step had: forces times dt. */
static void problem_shows_the_step(const char *text, perp_model model)
{
    perp_scene *scene = NULL;
    perp_stepper *stepper = NULL;
    perp_problem *p = NULL;
    motion *m = NULL;
    perp_report report;
    perp_error err = {0};

    OK(perp_scene_parse(&scene, text, strlen(text), "test.json", &err));
    scene->scheme.model = model;
    OK(perp_stepper_new(
        &stepper, scene->world, &scene->scheme,
        &(perp_stepper_options){.state = scene->world->start, .cold = true}, &err));
    for (int k = 0; k < 3; k++) {
        OK(perp_stepper_step(stepper, &report, &err));
    }
    OK(perp_system_export(perp_stepper_system(stepper), scene->world,
                          perp_stepper_contacts(stepper), PERP_STORAGE_CSR, &p, &err));
    const double *z = perp_stepper_result(stepper)->z;
    OK(motion_of_problem(&m, p, z, "step 3", &err));
    CU_ASSERT_EQUAL(m->dimension, scene->world->dimension);
    CU_ASSERT_EQUAL_FATAL(m->contact_end[0], perp_stepper_contacts(stepper)->count);
    for (size_t k = 0; k < m->contact_end[0]; k++) {
        const motion_contact *c = &m->contacts[k];
        double force[6];

        OK(perp_stepper_contact_force(stepper, k, force, &err));
        for (size_t i = 0; i < 3; i++) {
            CU_ASSERT_DOUBLE_EQUAL(c->impulse[i], force[i] * scene->scheme.dt, 1e-12);
        }
        CU_ASSERT(c->residual <= 1e-8); /* the tolerance of the solver */
        CU_ASSERT_EQUAL(c->mu, 0.25);
        CU_ASSERT(c->status == MOTION_OPEN || c->status == MOTION_SLIDING);
    }
    motion_free(m);
    OK(motion_of_problem(&m, p, NULL, "no point", &err));
    CU_ASSERT_EQUAL(m->contacts[0].status, MOTION_OPEN);
    CU_ASSERT(isnan(m->contacts[0].residual));
    motion_free(m);
    perp_problem_free(p);
}

TEST(a_problem_of_a_step_is_shown_as_the_step_was)
{
    static const char flat_slide[] =
        "{\"dimension\": 2, \"scheme\": {\"dt\": 0.01}, \"ground\": {}, \"bodies\": ["
        "{\"name\": \"plate\", \"mass\": 2, \"position\": [0, 0.5], \"velocity\": [-1, "
        "0],"
        " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5]}]}]}";

    problem_shows_the_step(slides, PERP_MODEL_CONE);
    problem_shows_the_step(slides, PERP_MODEL_PYRAMID);
    problem_shows_the_step(slides, PERP_MODEL_BOX);
    problem_shows_the_step(flat_slide, PERP_MODEL_CONE);
    problem_shows_the_step(flat_slide, PERP_MODEL_PYRAMID);
}

TEST(a_problem_without_places_is_refused)
{
    const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[] = {-1, 0, 0}, mu[] = {0.5};
    perp_problem *p = test_cones(3, 1, W, b, mu);
    motion *m = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(motion_of_problem(&m, p, b, "bare", &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "bare: no contact has a place"));
    CU_ASSERT_PTR_NULL(m);
}

/* Read while it is written, and after a kill: what the last checkpoint counts. */
TEST(a_run_at_work_and_a_killed_run_are_read)
{
    const char *dir = fresh("motion-killed");
    perp_error err = {0};
    motion *m = NULL;
    pid_t child = fork();
    int how = 0;

    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        char *argv[] = {(char[]){"--steps=1000000"}};
        sim_summary s;

        run_into(dir, slides, 1, argv, &s, NULL);
        _exit(0);
    }
    for (int tries = 0; tries < 2000 && !(m && m->frame_count > 100); tries++) {
        motion_free(m);
        m = NULL;
        usleep(5000);
        motion_read(&m, dir, &err);
    }
    kill(child, SIGKILL);
    CU_ASSERT_EQUAL(waitpid(child, &how, 0), child);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m); /* at work */
    CU_ASSERT(WIFSIGNALED(how));
    motion_free(m);
    OK(motion_read(&m, dir, &err));
    CU_ASSERT(m->frame_count > 100);
    CU_ASSERT_EQUAL(m->step[m->frame_count - 1], m->frame_count - 1);
    CU_ASSERT_TRUE(motion_is_trajectory(dir));
    motion_free(m);
}
