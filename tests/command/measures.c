/* SPDX-License-Identifier: Apache-2.0
 * tests/command/measures.c: the loop over steps, and what a comparison keeps of
 * it. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/simulate/measures.h"
#include "support.h"

/* A run of `text` in memory. */
typedef struct trial {
    const char *text;
    double limit;
    size_t stop_after; /* 0: never */
    volatile int stop;
    sim_summary summary;
    sim_end end;
    double error, change, work, median, scale, moved;
    double rate, drift, relative;
    double linear, angular; /* relative errors of momentum; NAN: not known */
    double final[7 * SIM_FINAL];
    size_t finals;
    bool conservative, known, told;
} trial;

typedef struct looker {
    trial *of;
    sim_measures x;
} looker;

static perp_status look(void *context, const sim_march *m, const perp_report *report,
                        perp_error *err)
{
    looker *l = context;

    l->of->stop = l->of->stop_after > 0 && m->step >= l->of->stop_after;
    return sim_measures_observe(&l->x, m, report, err);
}

static double number(const json_t *o, const char *a, const char *b, const char *c)
{
    const json_t *x = json_object_get(json_object_get(json_object_get(o, a), b), c);

    return json_is_number(x) ? json_number_value(x) : NAN;
}

/* What the answer says of energy, momentum and the end. */
static void read_answer(trial *t, const json_t *o)
{
    const json_t *energy = json_object_get(o, "energy"),
                 *final = json_object_get(o, "final");

    t->told = o != NULL;
    t->error = json_number_value(json_object_get(energy, "error"));
    t->known = json_is_number(json_object_get(energy, "error"));
    t->change = json_number_value(json_object_get(energy, "change"));
    t->work = json_number_value(json_object_get(energy, "work"));
    t->rate = json_number_value(json_object_get(energy, "rate"));
    t->drift = json_number_value(json_object_get(energy, "drift"));
    t->scale = json_number_value(json_object_get(energy, "scale"));
    t->relative = json_number_value(json_object_get(energy, "relative"));
    t->conservative = json_is_true(json_object_get(energy, "conservative"));
    t->median =
        json_number_value(json_object_get(json_object_get(o, "step_seconds"), "median"));
    t->linear = number(o, "momentum", "linear", "relative");
    t->angular = number(o, "momentum", "angular", "relative");
    t->moved = json_number_value(json_object_get(o, "moved"));
    t->finals = json_array_size(final);
    for (size_t k = 0; k < t->finals && k < 7 * SIM_FINAL; k++) {
        t->final[k] = json_number_value(json_array_get(final, k));
    }
}

static perp_status try_march(trial *t, looker *l, perp_scene *scene, perp_error *err)
{
    static const cli_option options[] = {SIM_SETTINGS_OPTIONS, CLI_OPTION_END};
    static const cli_verb verb = {.name = "simulate", .usage = "", .options = options};
    sim_settings settings;
    sim_march m = {.summary = &t->summary, .end = &t->end, .stop = &t->stop};
    cli_args args;
    json_t *o = NULL;
    perp_status status = cli_args_read(&args, &verb, 0, NULL, err);

    m.limit = t->limit;
    status = status ? status : sim_settings_read(&settings, &args, scene, err);
    status = status ? status : sim_march_open(&m, scene, &settings, err);
    if (status == PERP_OK) {
        sim_measures_open(&l->x, &m);
    }
    status = status ? status : sim_march_run(&m, look, l, err);
    if (status == PERP_OK) {
        o = sim_measures_json(&l->x, &m);
        read_answer(t, o);
    }
    json_decref(o);
    sim_march_close(&m);
    return status;
}

static perp_status try_run(void *context, perp_error *err)
{
    trial *t = context;
    looker l = {.of = t};
    perp_scene *scene = NULL;
    perp_status status =
        perp_scene_parse(&scene, t->text, strlen(t->text), "test.json", err);

    t->stop = 0;
    memset(&t->end, 0, sizeof t->end);
    status = status ? status : try_march(t, &l, scene, err);
    sim_measures_clear(&l.x);
    perp_scene_free(scene);
    return status;
}

static void run_all(trial *t)
{
    perp_error err = {0};

    if (try_run(t, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a run fails");
    }
}

static const char falls[] =
    "{\"time\": 1, \"solver\": \"nsgs\", \"scheme\": {\"dt\": 0.01}, \"bodies\": "
    "[{\"name\": \"ball\", \"mass\": 2, \"position\": [0, 0, 9],"
    "  \"shapes\": [{\"type\": \"sphere\", \"size\": 0.1}]}]}";

/* Symplectic Euler: v_n = -n g dt, z_n = z_0 - g dt^2 n (n+1)/2, so that E_n - E_0
 * = -m g^2 dt^2 n/2: after 100 steps 0.962361 J of 2 kg, on a straight line. */
TEST(error_of_a_falling_body_worked_by_hand)
{
    trial t = {.text = falls};

    run_all(&t);
    CU_ASSERT(t.conservative && t.known);
    CU_ASSERT_EQUAL(t.summary.steps, 100.0);
    CU_ASSERT_DOUBLE_EQUAL(t.error, 0.962361, 1e-11); /* rounding of 176 J, 100 steps */
    CU_ASSERT_DOUBLE_EQUAL(t.change, -0.962361, 1e-11);
    CU_ASSERT_EQUAL(t.work, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(t.rate, -0.962361, 1e-10); /* of 1 s */
    CU_ASSERT_DOUBLE_EQUAL(t.drift, -0.962361 / t.scale, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(t.relative, -t.drift, 1e-12);
    CU_ASSERT(t.linear <= 1e-14 && t.angular <= 1e-14); /* rounding of 100 steps */
    CU_ASSERT_EQUAL(t.finals, 7);
    CU_ASSERT_DOUBLE_EQUAL(t.final[2], 9.0 - 9.81 * 1e-4 * 5050.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(t.moved, 9.81 * 1e-4 * 5050.0, 1e-12);
    CU_ASSERT_EQUAL(t.final[3], 1.0);
    CU_ASSERT(t.median > 0.0);
}

/* Thrown sideways the angular momentum about the origin is missed by dt/2 v x m g t, where
 * symplectic Euler falls half a step too far: 0.005 * 3 * 2 * 9.81 kg m^2/s; Verlet is
 * exact. */
TEST(momentum_of_a_body_thrown_worked_by_hand)
{
    static const char thrown[] =
        "{\"time\": 1, \"solver\": \"nsgs\", \"scheme\": {\"dt\": 0.01%s}, \"bodies\": "
        "[{\"name\": \"ball\", \"mass\": 2, \"velocity\": [3, 0, 0],"
        "  \"shapes\": [{\"type\": \"sphere\", \"size\": 0.1}]}]}";
    char text[512];
    trial t = {.text = text};

    snprintf(text, sizeof text, thrown, "");
    run_all(&t);
    CU_ASSERT(t.linear <= 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(t.summary.momentum.angular, 0.005 * 3 * 2 * 9.81, 1e-11);
    snprintf(text, sizeof text, thrown, ", \"integrator\": \"velocity-verlet\"");
    run_all(&t);
    CU_ASSERT(t.linear <= 1e-14 && t.angular <= 1e-14);
}

/* Two of 1 kg that meet at +-1 m/s, unequal radii, with restitution and friction: what one
 * gains the other one loses, also when a solver stops after one sweep. */
TEST(contacts_between_bodies_keep_momentum_however_badly_solved)
{
    trial t = {.text = "{\"time\": 1, \"gravity\": [0, 0, 0], \"solver\": \"nsgs "
                       "max-iterations=1\", \"scheme\": {\"dt\": 0.01}, \"bodies\": "
                       "[{\"name\": \"a\", \"mass\": 1, \"velocity\": [1, 0, 0], "
                       "\"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]}, "
                       "{\"name\": \"b\", \"mass\": 3, \"velocity\": [-1, 0, 0], "
                       "\"position\": [1.2, 0.2, 0.1], \"spin\": [1, 2, 3], "
                       "\"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]}]}"};

    run_all(&t);
    CU_ASSERT(t.summary.contacts > 0.0 && !t.conservative);
    CU_ASSERT(t.linear <= 1e-13);
    CU_ASSERT(t.angular <= 1e-2); /* gyroscopic stage and orientation: dt w */
    CU_ASSERT_EQUAL(t.finals, 14);
}

/* A block on a slope whose angle friction holds takes momentum from weight and ground alone,
 * and impulses without motors do no work but at the solver's tolerance. */
TEST(what_the_ground_gives_is_counted)
{
    trial t = {.text = "{\"time\": 1, \"solver\": \"nsgs\", \"scheme\": {\"dt\": 0.01}, "
                       "\"ground\": {\"normal\": [0.6, 0, 0.8]}, \"bodies\": "
                       "[{\"name\": \"block\", \"mass\": 2, \"position\": [0.3, 0, 0.4], "
                       "\"velocity\": [0, 1, 0], \"shapes\": [{\"type\": \"sphere\", "
                       "\"radius\": 0.5}]}]}"};

    run_all(&t);
    CU_ASSERT(t.summary.contacts == 1.0);
    CU_ASSERT(t.linear <= 1e-13);
    CU_ASSERT(t.angular <= 1e-2); /* about a moving contact: dt */
    CU_ASSERT(t.summary.creation <= 1e-8);
}

/* x' = 0.5, sampled unevenly: the slope is that of the line. */
TEST(a_trend_is_the_slope_of_a_line)
{
    sim_trend x = {0};

    CU_ASSERT(isnan(sim_trend_slope(&x)));
    sim_trend_add(&x, 1e6, 2.0);
    CU_ASSERT(isnan(sim_trend_slope(&x)));
    sim_trend_add(&x, 1e6 + 1.0, 2.5);
    sim_trend_add(&x, 1e6 + 4.0, 4.0);
    CU_ASSERT_DOUBLE_EQUAL(sim_trend_slope(&x), 0.5, 1e-14);
}

static const char hook[] =
    "{\"time\": 1, \"start\": \"keep\", \"solver\": \"auto\", \"scheme\": {\"dt\": "
    "0.01}, "
    "\"bodies\": [{\"name\": \"hook\", \"motion\": \"kinematic\", "
    "\"velocity\": [0, 0, 0.5]}, {\"name\": \"load\", \"mass\": 2, "
    "\"position\": [0, 0, -1], \"inertia\": [1, 1, 1]}], \"joints\": "
    "[{\"type\": \"fixed\", \"name\": \"rope\", \"bodies\": [\"hook\", "
    "\"load\"], \"at\": [0, 0, 0]}]}";

/* A weight of 2 kg hangs fixed on a hook that goes up at 0.5 m/s: in 1 s the hook does
 * 9.81 J of work and 0.25 J more to set it in motion, all by rows that would do none on a
 * hook at rest. In the step that starts it the mean velocity is a half. */
TEST(a_body_that_is_moved_does_work)
{
    trial t = {.text = hook};

    run_all(&t);
    CU_ASSERT(!t.conservative);
    CU_ASSERT_DOUBLE_EQUAL(t.change, 9.81 + 0.25, 1e-6); /* RES of 100 steps */
    CU_ASSERT_DOUBLE_EQUAL(t.work, 9.81 + 0.25, 0.06);   /* m g dt v/2 a start */
    CU_ASSERT(t.error < 0.06);
}

/* In reduced coordinates no row holds the load, so that its work is not known. */
TEST(work_without_rows_is_not_known)
{
    static char text[1024];
    trial t = {.text = text};

    snprintf(text, sizeof text, "{\"coordinates\": \"reduced\", %s", hook + 1);
    run_all(&t);
    CU_ASSERT_DOUBLE_EQUAL(t.change, 9.81, 0.3); /* the hook moves it from the start */
    CU_ASSERT(!t.known && isnan(t.linear));
}

/* 3 kg on a spring between it and the ground with damping: what the damper takes is work,
 * and no error. Overdamped, from 1 m to rest: 1/2 k x^2 = 50 J. */
TEST(a_damper_does_work)
{
    trial t = {
        .text = "{\"time\": 4, \"solver\": \"auto\", \"gravity\": [0, 0, 0], "
                "\"scheme\": {\"dt\": 0.001}, \"bodies\": [{\"name\": \"car\", "
                "\"mass\": 3, \"position\": [0, 0, 0], \"inertia\": [1, 1, 1]}], "
                "\"joints\": [{\"type\": \"prismatic\", \"name\": \"rail\", \"bodies\": "
                "[\"world\", \"car\"], \"at\": [0, 0, 0], \"axis\": [1, 0, 0], "
                "\"spring\": {\"stiffness\": 100, \"damping\": 60, \"rest\": 1}}]}"};

    run_all(&t);
    CU_ASSERT(!t.conservative);
    CU_ASSERT_DOUBLE_EQUAL(t.change, -50.0, 0.1); /* e^(-2 t) of the way left */
    CU_ASSERT(t.error < 0.05 * 50.0);             /* dt k/c + dt c/m, of 50 J */
}

TEST(ends_when_it_is_told_to)
{
    trial t = {.text = falls, .stop_after = 7};

    run_all(&t);
    CU_ASSERT(t.end.interrupted && !t.end.late && !t.end.early);
    CU_ASSERT_EQUAL(t.summary.steps, 7.0);
}

TEST(ends_at_its_limit_with_what_it_made)
{
    trial t = {.text = falls, .limit = 1e-12};

    run_all(&t);
    CU_ASSERT(t.end.late && !t.end.interrupted);
    CU_ASSERT_EQUAL(t.summary.steps, 1.0);
    CU_ASSERT(t.told && t.median > 0.0);
}

TEST(ends_early_at_a_state_that_is_not_finite)
{
    trial t = {.text =
                   "{\"time\": 10, \"solver\": \"nsgs\", \"scheme\": {\"dt\": 1, "
                   "\"integrator\": \"explicit\"}, \"bodies\": [{\"name\": \"wild\", "
                   "\"mass\": 1e-3, \"position\": [1, 0, 0], \"shapes\": [{\"type\": "
                   "\"sphere\", \"size\": 0.1}]}, {\"name\": \"wall\", \"motion\": "
                   "\"static\"}], \"forces\": [{\"type\": \"spring\", \"name\": \"s\", "
                   "\"bodies\": [\"wild\", \"wall\"], \"stiffness\": 1e100}]}"};

    run_all(&t);
    CU_ASSERT(t.end.early && !t.end.late);
    CU_ASSERT_PTR_NOT_NULL(strstr(t.end.why, "wild"));
}
