! SPDX-License-Identifier: BSD-2-Clause
! Procedures of a module, one of them inside another.
module grid
  implicit none
contains
  subroutine smooth(u)
    real, intent(inout) :: u(:)
    call relax(2)
  contains
    subroutine relax(times)
      integer, intent(in) :: times
      integer :: i
      do i = 1, times
        u = total(u) * u
      end do
    end subroutine
  end subroutine
  real function total(u)
    real, intent(in) :: u(:)
    total = sum(u)
  end function
end module

program modules
  use grid
  implicit none
  real :: u(100)
  integer :: i
  u = 0.01
  do i = 1, 5
    call smooth(u)
  end do
  if (u(1) < 0) stop 1
end program
