/* SPDX-License-Identifier: Apache-2.0
 * tests/command/series.c: a run in at most two hundred samples. */
#include <config.h>

#include <math.h>

#include "command/simulate/series.h"
#include "dynamics.h"
#include "support.h"

static double number(const json_t *o, const char *key, size_t k)
{
    return json_number_value(json_array_get(json_object_get(o, key), k));
}

TEST(never_has_more_than_two_hundred_samples)
{
    static const size_t lengths[] = {1,   2,   99,   100,  101,   150,    199,    200,
                                     201, 299, 1000, 9999, 10000, 100000, 1000000};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t at = 0, count = 0;

        while (at < lengths[i]) {
            size_t next = sim_series_end(at, lengths[i]);

            CU_ASSERT_FATAL(next > at);
            at = next;
            count++;
        }
        CU_ASSERT(count <= SIM_SERIES_MOST);
        CU_ASSERT(count >= (lengths[i] < 50 ? lengths[i] : 50));
    }
}

/* Short runs keep every step; long ones begin with single steps, end with a hundredth. */
TEST(samples_grow_up_to_a_hundredth_of_the_run)
{
    CU_ASSERT_EQUAL(sim_series_end(70, 100), 71);
    CU_ASSERT_EQUAL(sim_series_end(0, 100000), 1);
    CU_ASSERT_EQUAL(sim_series_end(5, 100000), 6);
    CU_ASSERT_EQUAL(sim_series_end(50000, 100000), 51000);
}

/* One body of 2 kg that falls freely from rest, in steps of 1 s: P = -2 g t e_z. */
static perp_world *falling(void)
{
    perp_world *w = test_world(3, 10.0);
    perp_body body = {
        .name = "ball", .mass = 2.0, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

    OK(perp_world_add_body(w, &body, NULL, NULL));
    return w;
}

TEST(errors_of_momentum_leave_out_gravity)
{
    perp_world *w = falling();
    sim_series s;

    sim_series_start(&s, w, w->start, 3);
    for (size_t k = 1; k <= 3; k++) {
        /* 1 kg m/s too much in the third step, and 3 J that no work explains. */
        perp_report r = {.step = k,
                         .t = (double)k,
                         .kinetic = k == 3 ? 7.0 : 4.0,
                         .momentum = {k == 3 ? 1.0 : 0.0, 0.0, -20.0 * (double)k},
                         .angular_momentum = {0.0, k == 3 ? 2.0 : 0.0, 0.0},
                         .penetration = 0.1 * (double)k};

        sim_series_add(&s, &r, 4.0);
    }
    json_t *o = sim_series_json(&s, false, 10.0);
    CU_ASSERT_EQUAL_FATAL(json_array_size(json_object_get(o, "t")), 3);
    CU_ASSERT_EQUAL(number(o, "t", 2), 3.0);
    CU_ASSERT_EQUAL(number(o, "energy", 1), 0.0);
    CU_ASSERT_DOUBLE_EQUAL(number(o, "energy", 2), 0.3, 1e-15); /* 3 J of 10 J */
    CU_ASSERT_DOUBLE_EQUAL(number(o, "momentum", 1), 0.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(number(o, "momentum", 2), 1.0 / hypot(1.0, 60.0), 1e-15);
    CU_ASSERT_EQUAL(number(o, "angular_momentum", 2), 1.0); /* it was 0, and is 2 */
    CU_ASSERT_EQUAL(number(o, "penetration", 0), 0.1);
    json_decref(o);
    o = sim_series_json(&s, true, 10.0); /* without work */
    CU_ASSERT_DOUBLE_EQUAL(number(o, "energy", 1), 0.4, 1e-15);
    json_decref(o);
}

/* A sample keeps the largest errors of its steps. */
TEST(samples_keep_peaks)
{
    perp_world *w = falling();
    sim_series s;

    sim_series_start(&s, w, w->start, 1000);
    for (size_t k = 1; k <= 1000; k++) {
        perp_report r = {.step = k,
                         .t = (double)k,
                         .drift_length = k == 995 ? 0.5 : 1e-3,
                         .kinetic = k == 996 ? -5.0 : 2.0};

        sim_series_add(&s, &r, k < 900 ? NAN : 1.0);
    }
    json_t *o = sim_series_json(&s, false, 1.0);
    size_t last = s.count - 1;
    CU_ASSERT_EQUAL(number(o, "t", last), 1000.0);
    CU_ASSERT_EQUAL(number(o, "drift", last), 0.5);
    CU_ASSERT_EQUAL(number(o, "drift", last - 1), 1e-3);
    CU_ASSERT_EQUAL(number(o, "energy", last), -6.0);
    CU_ASSERT_EQUAL(number(o, "energy", last - 1), 1.0);
    /* The work is not known. */
    CU_ASSERT(json_is_null(json_array_get(json_object_get(o, "energy"), 0)));
    json_decref(o);
}
