# Examples: $(O)/examples/NAME from examples/*.c; see examples/README.md
.PHONY: examples
examples:

# A call at a function's end keeps its own line (README.md, "Record").
EXAMPLE_CFLAGS := $(CFLAGS) -fno-optimize-sibling-calls

# NAME SOURCE COMPILER: an example of a parallel model, where its compiler wrapper is there
define example
examples: $(O)/examples/$(1)
$(O)/examples/$(1): examples/$(2).c
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$(3) -std=c11 -D_GNU_SOURCE $(WARNINGS) $(EXAMPLE_CFLAGS) -o $$@ $$< -lm
endef
$(if $(OSHCC),$(eval $(call example,shmem_busy,shmem_busy,$(OSHCC))))
$(if $(OSHCC),$(eval $(call example,shmem_faults,shmem_faults,$(OSHCC))))
$(if $(OSHCC),$(eval $(call example,shmem_leak,shmem_leak,$(OSHCC))))
$(if $(OSHCC),$(eval $(call example,shmem_progress,shmem_progress,$(OSHCC))))
$(if $(OSHCC),$(eval $(call example,shmem_tables,shmem_tables,$(OSHCC))))
$(if $(OPENMPI_CC),$(eval $(call example,mpi_faults,mpi_faults,$(OPENMPI_CC))))
$(if $(MPICH_CC),$(eval $(call example,mpi_faults_mpich,mpi_faults,$(MPICH_CC) $(MPICH_QUIET))))
$(if $(OPENMPI_CC),$(eval $(call example,mpi_overlap,mpi_overlap,$(OPENMPI_CC))))
$(if $(MPICH_CC),$(eval $(call example,mpi_overlap_mpich,mpi_overlap,$(MPICH_CC) $(MPICH_QUIET))))
$(if $(OPENMPI_CC),$(eval $(call example,mpi_windows,mpi_windows,$(OPENMPI_CC))))
$(if $(MPICH_CC),$(eval $(call example,mpi_windows_mpich,mpi_windows,$(MPICH_CC) $(MPICH_QUIET))))
$(if $(OPENMPI_CC),$(eval $(call example,mpi_locks,mpi_locks,$(OPENMPI_CC))))
$(if $(MPICH_CC),$(eval $(call example,mpi_locks_mpich,mpi_locks,$(MPICH_CC) $(MPICH_QUIET))))

# Mapping to entities: nothing of gaspdb is linked.
define mapped
examples: $(O)/examples/$(1)
$(O)/examples/$(1): examples/$(2).c collector/include/gaspdb.h
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$(3) -std=c11 -D_GNU_SOURCE $(WARNINGS) $(EXAMPLE_CFLAGS) -Icollector/include -o $$@ $$< -lpthread
endef
$(eval $(call mapped,particles,particles,$(CC)))
$(eval $(call mapped,work_queue,work_queue,$(CC)))
$(if $(OPENMPI_CC),$(eval $(call mapped,mpi_tasks_openmpi,mpi_tasks,$(OPENMPI_CC))))
$(if $(MPICH_CC),$(eval $(call mapped,mpi_tasks_mpich,mpi_tasks,$(MPICH_CC) $(MPICH_QUIET))))

# Compiled as docs/instrument.md says.
$(if $(OPENMPI_CC),$(eval $(call example,mpi_functions_openmpi,mpi_functions,$(O)/gaspcc --inst-functions $(OPENMPI_CC))))
$(if $(MPICH_CC),$(eval $(call example,mpi_functions_mpich,mpi_functions,$(O)/gaspcc --inst-functions $(MPICH_CC) $(MPICH_QUIET))))
$(addprefix $(O)/examples/mpi_functions_,openmpi mpich): $(O)/gaspcc $(PLUGIN) $(LIBRARIES)
