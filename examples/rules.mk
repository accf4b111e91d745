# Examples: $(O)/examples/NAME from examples/*.c; see examples/README.md
.PHONY: examples
examples:

# NAME COMPILER: an example of a parallel model, where its compiler wrapper is there
define example
examples: $(O)/examples/$(1)
$(O)/examples/$(1): examples/$(1).c
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$(2) -std=c11 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) -o $$@ $$< -lm
endef
$(if $(OSHCC),$(eval $(call example,shmem_faults,$(OSHCC))))
