# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/broad.c \
    %D%/broad_motion.c \
    %D%/casts.c \
    %D%/collide.c \
    %D%/collider.c \
    %D%/collider_threads.c \
    %D%/crowds.c \
    %D%/epa.c \
    %D%/facets.c \
    %D%/flat_pairs.c \
    %D%/flush.c \
    %D%/gjk.c \
    %D%/keys.c \
    %D%/manifold.c \
    %D%/mesh_growth.c \
    %D%/mesh_meshes.c \
    %D%/mesh_pairs.c \
    %D%/mesh_rests.c \
    %D%/mpr.c \
    %D%/pairs.c \
    %D%/pairs_golden.c \
    %D%/rays.c \
    %D%/rays_surface.c \
    %D%/reduce.c \
    %D%/sat.c \
    %D%/speculative.c \
    %D%/standing.c \
    %D%/unresolved.c
test_helpers += \
    %D%/pairs_contacts.c \
    %D%/pairs_laws.c \
    %D%/pairs_laws.h \
    %D%/pairs_meshes.c
