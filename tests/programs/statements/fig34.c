/* SPDX-License-Identifier: BSD-2-Clause */
/* Shende's figure 34: y + z moves out of the loop. */
extern int y,z;
int foo(void)
{
  int i, x;
  for (i=0; i < 500; i++)
  { /* the block */
#pragma gaspdb statement "the block"
    x = y + z + i;
#pragma gaspdb end
  }
  return x;
}
