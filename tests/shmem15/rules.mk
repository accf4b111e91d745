# The stand-in for an OpenSHMEM 1.5, the adapter for it, and a program: $(O)/programs/shmem15.
SHMEM15_CC := $(CC) -Itests/shmem15
SHMEM15_SRC := $(addprefix tests/shmem15/,shmem.c memory.c atomics.c waiting.c)
$(O)/libshmem15.so: $(SHMEM15_SRC) tests/shmem15/shmem.h tests/shmem15/library.h
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(SHMEM15_CC) $(PROGRAM_CFLAGS) -shared -fPIC -Wl,-soname,$(@F) -o $@ $(SHMEM15_SRC)
$(eval $(call adapter,shmem15,$(SHMEM_SRC),$(SHMEM15_CC),$(O)/obj/shmem15/shmem_wrappers.o))
$(eval $(call shmem_wrappers,shmem15,$(SHMEM15_CC)))
$(O)/libgaspdb-shmem15.so: private LDFLAGS += -L$(O) -Wl,--no-as-needed -lshmem15
$(O)/libgaspdb-shmem15.so: $(O)/libshmem15.so
programs: $(O)/programs/shmem15
$(O)/programs/shmem15: tests/shmem15/program.c $(O)/libgaspdb-shmem15.so $(O)/libshmem15.so
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(SHMEM15_CC) $(PROGRAM_CFLAGS) -o $@ $< -L$(O) -Wl,--no-as-needed -lgaspdb-shmem15 -lgaspdb -lshmem15 \
		-Wl,-rpath,'$$ORIGIN/..'
