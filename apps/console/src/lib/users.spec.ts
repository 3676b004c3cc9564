import { expect, it } from '@jest/globals';
import { usersOf } from './users.js';

it('reads one user a line, and counts who is named twice', () => {
  expect(usersOf('ada\n\n grace \nada')).toEqual({ users: ['ada', 'grace'], doubled: 1, problems: [] });
});

it('reads the column of users of a CSV file, with quotes and a byte order mark', () => {
  const csv = '\ufeffname,userId\r\n"Lovelace, Ada",ada\r\n"Grace ""Amazing""",grace';
  expect(usersOf(csv)).toEqual({ users: ['ada', 'grace'], column: 'userId', doubled: 0, problems: [] });
});

it('leaves out lines that name nobody, and says why', () => {
  const lines = ['name;user_id', 'Ada;ada', 'Grace;', '"Linus;linus', `Long;${'x'.repeat(1_025)}`, 'Half;\ud800', ';'];
  expect(usersOf(lines.join('\n'))).toEqual({
    users: ['ada'],
    column: 'user_id',
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

it.each([
  ['id,user_id,email\n1,ada,a@example.com', 'user_id'],
  ['name\tuser_id\nLovelace, Ada\tada', 'user_id'],
  ['\tUser-ID\n\tada', 'User-ID'],
  ['name;USER ID\nLovelace, Ada;ada', 'USER ID'],
  ['\n id \r\rada', 'id'],
])('takes the users of %j from the column %s', (text, column) => {
  expect(usersOf(text)).toEqual({ users: ['ada'], column, doubled: 0, problems: [] });
});

it.each([
  ['user_id,userId\nada,grace', 1, 'two columns may name the user: "user_id" and "userId". Keep one'],
  ['name,user_id\nLovelace, Ada,ada', 2, 'not as many columns as in the header line (3, not 2)'],
  ['user_id\nada;grace', 2, 'not as many columns as in the header line (2, not 1)'],
  ['name,user_id\nAda,"ada"grace', 2, 'quote within a value'],
  ['ada"grace"', 1, 'quote within a value'],
  ['user_id,name\n"ada\tgrace",Ada', 2, 'user ID with a control character, such as a tab'],
])('takes no user from %j', (text, line, why) => {
  expect(usersOf(text)).toMatchObject({ users: [], problems: [{ line, why }] });
});

it('ends lines as every system does', () => {
  expect(usersOf('ada\rgrace\r\nlinus\nmargaret').users).toEqual(['ada', 'grace', 'linus', 'margaret']);
});
