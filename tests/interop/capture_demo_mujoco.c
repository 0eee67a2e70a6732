/* SPDX-License-Identifier: Apache-2.0
 * capture_demo_mujoco.c: steps of an MJCF model, whose problems a test captures. An ordinary
 * program that uses MuJoCo alone: capture_demo_mujoco MODEL STEPS elliptic|pyramidal. */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char message[500] = "MODEL STEPS elliptic|pyramidal are missing";
    mjModel *m = argc > 3 ? mj_loadXML(argv[1], NULL, message, sizeof message) : NULL;
    mjData *d = m ? mj_makeData(m) : NULL;

    if (!d) {
        fprintf(stderr, "capture_demo_mujoco: %s\n", message);
        return 1;
    }
    m->opt.cone = strcmp(argv[3], "elliptic") == 0 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    for (int k = 0; k < atoi(argv[2]); k++) {
        for (int u = 0; u < m->nu; u++) {
            d->ctrl[u] = 1.0;
        }
        mj_step(m, d);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
