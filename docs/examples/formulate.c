#include <perp/dynamics/dynamics.h>
#include <perp/formats.h>
#include <stdio.h>

int main(int argc, char **argv) /* A and b of the first step of SCENE into FILE */
{
    perp_scene *scene = NULL;
    perp_contacts contacts = {0};
    perp_system system = {0}; /* system.problem: w = A z + b, z in K, w in K* */
    perp_problem *p = NULL;
    perp_error err = {0};
    perp_status status = argc == 3 ? perp_scene_read(&scene, argv[1], &err)
                                   : perp_fail(&err, PERP_ERR_ARGUMENT, "SCENE FILE");

    if (status == PERP_OK) {
        status = perp_step_formulate(scene->world, scene->world->start, &scene->scheme,
                                     &contacts, &system, &err);
    }
    if (status == PERP_OK) { /* a copy with the name of every row */
        status = perp_system_export(&system, scene->world, &contacts, PERP_STORAGE_CSR,
                                    &p, &err);
    }
    if (status == PERP_OK) {
        status = perp_problem_write(p, argv[2], NULL, NULL, &err);
    }
    if (status == PERP_OK) {
        printf("%zu contacts, %zu rows\n", contacts.count, p->n);
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    perp_problem_free(p);
    perp_system_clear(&system);
    perp_contacts_clear(&contacts);
    perp_scene_free(scene);
    return status != PERP_OK;
}
