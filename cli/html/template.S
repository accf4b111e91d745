/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's template with its scripts, as make joined it. */
	.section .rodata
	.global gaspdb_page_template
	.global gaspdb_page_template_end
gaspdb_page_template:
	.incbin "page.html"
gaspdb_page_template_end:
	.byte 0
	.section .note.GNU-stack, "", %progbits
