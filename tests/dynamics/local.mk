# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/gyro \
    %D%/inertia \
    %D%/integrators \
    %D%/rotation \
    %D%/spin

%C%_gyro_SOURCES = %D%/gyro.c
%C%_inertia_SOURCES = %D%/inertia.c $(scarce_sources)
%C%_inertia_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_integrators_SOURCES = %D%/integrators.c
%C%_rotation_SOURCES = %D%/rotation.c
%C%_spin_SOURCES = %D%/spin.c tests/support/spin.c tests/support/spin.h
