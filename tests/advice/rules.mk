# Faulty programs and the same with the advice of the report followed: predicted against real (docs/advice.md).
.PHONY: advice advice-programs
ADVICE_CFLAGS := -std=gnu2x -Wall -Wextra -g -O1
# The programs' own lines must stand at their calls.
ADVICE_CFLAGS += -fno-optimize-sibling-calls
define advice_program
advice-programs: $(O)/advice/$(1)
$(O)/advice/$(1): tests/advice/$(1).c tests/advice/advice.h
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$(2) $$(ADVICE_CFLAGS) -o $$@ $$<
endef
$(if $(OPENMPI_CC),$(eval $(call advice_program,advice_mpi,$(OPENMPI_CC))))
$(if $(OSHCC),$(eval $(call advice_program,advice_shmem,$(OSHCC))))
advice-programs:
programs: advice-programs
advice: all advice-programs
	@O=$(O) tests/advice/run $(PAIRS)
