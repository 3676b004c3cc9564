import { expect, it } from '@jest/globals';
import { usersOf } from './users.js';

it('reads one user a line, and counts who is named twice', () => {
  expect(usersOf('ada\n\n grace \nada')).toEqual({ users: ['ada', 'grace'], doubled: 1, problems: [] });
});

it('reads the column of users of a CSV file, with quotes and a byte order mark', () => {
  const csv = '\ufeffname,userId\r\n"Lovelace, Ada",ada\r\n"Grace ""Amazing""",grace';
  expect(usersOf(csv)).toEqual({ users: ['ada', 'grace'], doubled: 0, problems: [] });
});

it('leaves out lines that name nobody, and says why', () => {
  const lines = ['name;user_id', 'Ada;ada', 'Grace;', '"Linus;linus', `Long;${'x'.repeat(1_025)}`, 'Half;\ud800', ';'];
  expect(usersOf(lines.join('\n'))).toEqual({
    users: ['ada'],
    doubled: 0,
    problems: [
      { line: 3, why: 'no user ID' },
      { line: 4, why: 'unclosed quote' },
      { line: 5, why: 'user ID with more than 1,024 characters' },
      { line: 6, why: 'user ID with a character that cannot be stored' },
    ],
  });
});

it('takes no part of a line for a user if no heading names the column', () => {
  const why = 'several columns, but no header line such as "name,user_id" that names the user';
  expect(usersOf('Lovelace, Ada\n"Hopper, Grace"\nlinus;')).toEqual({
    users: ['Hopper, Grace'],
    doubled: 0,
    problems: [
      { line: 1, why },
      { line: 3, why },
    ],
  });
});
