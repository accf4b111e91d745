/* SPDX-License-Identifier: BSD-2-Clause */
/* The same where the loop stays: x is stored each time. */
extern int y, z;
extern volatile int x;
int foo(void)
{
  int i;
  for (i=0; i < 500; i++)
  { /* the block */
#pragma gaspdb statement "the block"
    x = y + z + i;
#pragma gaspdb end
  }
  return x;
}
