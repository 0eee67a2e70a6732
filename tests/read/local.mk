# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/scene.c \
    %D%/scene_errors.c \
    %D%/scene_links.c \
    %D%/scene_parameters.c \
    %D%/scene_robots.c \
    %D%/scene_schema.c \
    %D%/scene_shapes.c \
    %D%/scene_write.c \
    %D%/urdf.c \
    %D%/urdf_errors.c \
    %D%/urdf_memory.c \
    %D%/urdf_shapes.c
