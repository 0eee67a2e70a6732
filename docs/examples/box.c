#include <perp/dynamics/dynamics.h>
#include <stdio.h>

int main(void) /* a box of 1000 kg/m^3 falls 1 cm onto the ground */
{
    perp_world *world = NULL;
    perp_stepper *stepper = NULL;
    perp_scheme scheme;
    perp_report report = {0};
    perp_error err = {0};
    perp_body ground = {.name = "ground", .motion = PERP_MOTION_STATIC};
    perp_body box = {.name = "box", .r = {0, 0, 0.11}};
    perp_shape plane = {.type = perp_shape_type_find("plane")};
    perp_shape cube = {.type = perp_shape_type_find("box"), .size = {0.1, 0.1, 0.1}};

    perp_scheme_default(&scheme);
    perp_world_new(&world, 3, &err);
    perp_world_add_solid(world, &ground, 0, 1, &plane, NULL, &err);
    perp_world_add_solid(world, &box, 1000, 1, &cube, NULL, &err);
    perp_stepper_new(&stepper, world, &scheme, NULL, &err);
    while (report.step < 60 && perp_stepper_step(stepper, &report, &err) == PERP_OK) {
    }
    printf("z = %.3f m, weight %.2f N\n",
           perp_body_pose(perp_stepper_state(stepper), 1)[2], 9.81 * world->mass[1]);
    for (size_t k = 0; k < report.contacts; k++) {
        double force[6]; /* on body j of the contact: here the box */

        perp_stepper_contact_force(stepper, k, force, &err);
        printf("contact %zu: %.2f N\n", k, force[2]);
    }
    perp_stepper_free(stepper);
    perp_world_free(world);
    return 0;
}
