# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/bad_joints.c \
    %D%/gears.c \
    %D%/joints.c \
    %D%/joints_page.c \
    %D%/joints_slide.c \
    %D%/limits.c \
    %D%/limits_reach.c \
    %D%/limits_rows.c \
    %D%/mobilizers.c \
    %D%/mobilizers_drift.c \
    %D%/rates.c
