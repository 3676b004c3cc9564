import { expect, it } from '@jest/globals';
import { usersOf } from './users.js';

it('reads one user a line, and counts who is named twice', () => {
  expect(usersOf('ada\n\n grace \nada')).toEqual({ users: ['ada', 'grace'], doubled: 1 });
});

it('reads the column of users of a CSV file, with quotes and a byte order mark', () => {
  const csv = '\ufeffname,userId\r\n"Lovelace, Ada",ada\r\n"Grace ""Amazing""",grace';
  expect(usersOf(csv)).toEqual({ users: ['ada', 'grace'], doubled: 0 });
});
