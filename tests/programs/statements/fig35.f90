! SPDX-License-Identifier: BSD-2-Clause
! Shende's figure 35 in Fortran.
subroutine f(a, b, c, d, w)
  implicit none
  integer, value :: a, b, c, d
  integer :: w, x, y, z
  common /figure/ x, y
!$gaspdb statement "Contribution of x,y and z"
  x = a + a * (b - c)
  y = (b - c) * d
  z = x + y
!$gaspdb end
  w = 5*z + 6
end subroutine
