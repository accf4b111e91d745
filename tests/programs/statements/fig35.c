/* SPDX-License-Identifier: BSD-2-Clause */
/* Shende's figure 35: b - c moves before its timer, and z*5, in a compiler that sees calls, into it. */
int x, y;
int f(int a, int b, int c, int d)
{
  int w, z;

#pragma gaspdb statement "Contribution of x,y and z"
  x = a + a * (b - c);
  y = (b - c) * d;
  z = x + y;
#pragma gaspdb end
  w = 5*z+6;

  return w;
}
