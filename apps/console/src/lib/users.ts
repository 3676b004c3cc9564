/** Names of a first line that is a heading, not a user. */
const HEADINGS = new Set(['userid', 'user_id', 'user id', 'id']);

/** User ids of what was typed or of a CSV file: one a line, from the column of users, or from the first one. */
export function usersOf(text: string): { users: string[]; doubled: number } {
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => cellsOf(line.trim()));
  const heading = lines[0]?.findIndex((cell) => HEADINGS.has(cell.toLowerCase())) ?? -1;
  const column = Math.max(heading, 0);
  const all = (heading === -1 ? lines : lines.slice(1)).map((cells) => cells[column] ?? '').filter((id) => id !== '');
  const users = [...new Set(all)];
  return { users, doubled: all.length - users.length };
}

/** Cells of a line of CSV. Quotes hold commas together, and a doubled quote stands for one. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at];
    if (char === '"' && isQuoted && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (char === '"') isQuoted = !isQuoted;
    else if ((char === ',' || char === ';') && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  return [...cells, cell.trim()];
}
