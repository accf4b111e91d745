! SPDX-License-Identifier: BSD-2-Clause
! Shende's figure 34 in Fortran, where the loop stays: x is stored each time.
subroutine foo(y, z)
  implicit none
  integer, intent(in) :: y, z
  integer, volatile :: x
  common /figure/ x
  integer :: i
  do i = 0, 499
!$gaspdb statement "the block"
    x = y + z + i
!$gaspdb end
  end do
end subroutine
