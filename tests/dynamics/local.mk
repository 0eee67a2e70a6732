# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/joints \
    %D%/rotation

%C%_joints_SOURCES = %D%/joints.c
%C%_rotation_SOURCES = %D%/rotation.c
