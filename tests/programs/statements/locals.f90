! SPDX-License-Identifier: BSD-2-Clause
! Ranges of several statements with local variables, and loops in ranges, each executed as often as the argument says.
module ranges
  implicit none
contains
  subroutine straight(n, s)
    integer, intent(in) :: n
    real(8), intent(out) :: s
    real(8) :: x, y, z
    integer :: k
    s = 0
    do k = 1, n
      !$gaspdb statement "straight"
      x = k * 2d0 + s * 1d-3
      y = x * x + k
      z = x + y
      s = s + z * 1d-2
      !$gaspdb end
    end do
  end subroutine

  ! The range begins where two ways lead together, and has such a place itself.
  subroutine joined(n, s)
    integer, intent(in) :: n
    real(8), intent(out) :: s
    real(8) :: x, y
    integer :: k
    s = 0
    do k = 1, n
      if (mod(k, 3) == 0) then
        s = s + 1
      else
        s = s * 0.5d0
      end if
      !$gaspdb statement "joined"
      x = k * 2d0 + s * 1d-3
      if (x > 20) then
        y = x * x
      else
        y = -x
      end if
      s = s + y * 1d-2
      !$gaspdb end
    end do
  end subroutine

  subroutine nested(n, s)
    integer, intent(in) :: n
    real(8), intent(out) :: s
    real(8) :: x
    integer :: k, i
    s = 0
    do k = 1, n
      !$gaspdb statement "nested"
      do i = 1, n + 3
        x = i + s * 1d-3
        s = s + abs(x) * 1d-2
      end do
      !$gaspdb end
      s = s * 0.9d0
    end do
  end subroutine

  subroutine repeated(n, s)
    integer, intent(in) :: n
    real(8), intent(out) :: s
    real(8) :: x
    integer :: k
    s = 0
    do k = 1, n
      x = k + 10
      !$gaspdb statement "repeated"
      do while (x > 1)
        x = x * 0.5d0
        s = s + x
      end do
      !$gaspdb end
      s = s * 0.9d0
    end do
  end subroutine
end module

program locals
  use ranges
  implicit none
  real(8) :: s
  character(10) :: argument
  integer :: n
  call get_command_argument(1, argument)
  read (argument, *) n
  call straight(n, s)
  print *, s
  call joined(n, s)
  print *, s
  call nested(n, s)
  print *, s
  call repeated(n, s)
  print *, s
end program
