/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists that the other files fill. */

/* Sections below the time line: {id, title, build(node)}; needsTrace: hidden for a profile. */
const moreSections = [];
/* Functions that add a tool to the header: tool(node). */
const headerTools = [];
