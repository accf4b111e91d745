# Examples: $(O)/examples/NAME from examples/*.c; see examples/README.md
.PHONY: examples
examples:
