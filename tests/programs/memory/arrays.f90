! SPDX-License-Identifier: GPL-3.0-or-later
! Arrays of Fortran in known numbers.
program arrays
  implicit none
  real(8), allocatable :: a(:), b(:, :)
  real(8), pointer :: lost(:)
  integer :: i
  do i = 1, 20
    allocate(a(i * 10)) ! LOOP
    a = i
    if (sum(a) < 0) stop 1
    deallocate(a)
  end do
  allocate(b(100, 50)) ! MATRIX
  b = 1
  do i = 1, 5
    allocate(lost(25)) ! LOST
    lost = i
  end do
  if (sum(b) < 0) stop 2
end program
