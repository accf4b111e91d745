! SPDX-License-Identifier: BSD-2-Clause
! Shende's figures 34 and 35 in Fortran, and statements that are executed in known numbers.
module figures
  implicit none
  integer :: x, y, z
contains
  integer function f(a, b, c, d)
    integer, value :: a, b, c, d
    integer :: w, v
!$gaspdb statement "Contribution of x,y and z"
    x = a + a * (b - c)
    y = (b - c) * d
    v = x + y
!$gaspdb end
    w = 5*v + 6
    f = w
  end function

  integer function block_of(n)
    integer, value :: n
    integer :: i, v
    v = 0
    do i = 0, n - 1
!$gaspdb statement "the block"
      v = y + z + i
!$gaspdb end
    end do
    block_of = v
  end function

  subroutine work(n)
    integer, value :: n
    integer, volatile :: sum
    sum = n
  end subroutine

  recursive subroutine steps(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      call work(i)
      !$GASPDB STATEMENT 'step'
      call work(-i)
      if (i == 2) cycle
      call work(2*i)
      !$GASPDB END
      call work(3*i)
    end do
!$gaspdb statement "loop"
    do i = 1, n
      call work(i)
    end do
!$gaspdb end
  end subroutine
end module

program runs
  use figures
  implicit none
  call steps(5)
  y = f(1, 2, 3, 4)
  y = block_of(10)
end program
