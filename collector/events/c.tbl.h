/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of the C model (GASP 1.5, 4.3).  Columns: events/README.md.
 */
/* clang-format off */
EVENT(C_FUNC, 1, "function", function, "SE", "signature:s", "signature:s",
	"User function",
	"The signature is NULL where the implementation does not know it; the "
	"end's line is that of the return.")
EVENT(C_MALLOC, 2, "malloc", alloc, "SE", "bytes:z", "bytes:z address:p",
	"Private allocation",
	"address is NULL where the allocation failed.")
EVENT(C_REALLOC, 3, "realloc", realloc, "SE",
	"old_address:p bytes:z", "old_address:p bytes:z address:p",
	"Change of a private allocation's size",
	"old_address is the argument, address the result.")
EVENT(C_FREE, 4, "free", free, "SE", "address:p", "address:p",
	"Freeing of private memory",
	"A NULL address is legal and frees nothing.")
/* clang-format on */
#undef EVENT
