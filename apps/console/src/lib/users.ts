/** Names of a first line that is a heading, not a user. */
const HEADINGS = new Set(['userid', 'user_id', 'user id', 'id']);
/** Characters of an identifier that the API takes. */
const LENGTH_MAX = 1_024;

const UNCLEAR = 'several columns, but no header line such as "name,user_id" that names the user';

export interface Problem {
  /** As editors count: the first line is 1. */
  line: number;
  why: string;
}

export interface Users {
  users: string[];
  /** Lines that repeat an earlier user. */
  doubled: number;
  /** Lines that name nobody, and are left out. */
  problems: Problem[];
}

/**
 * User ids of what was typed or of a CSV file: one a line, or one a line in the column that the first line names. Without that, a line of
 * several columns is a problem: a part of an id could be the id of somebody else.
 */
export function usersOf(text: string): Users {
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line, at) => ({ line: at + 1, ...cellsOf(line.trim()) }));
  const heading = lines[0]?.cells.findIndex((cell) => HEADINGS.has(cell.toLowerCase())) ?? -1;
  const column = Math.max(heading, 0);
  const users = new Set<string>();
  const problems: Problem[] = [];
  let doubled = 0;
  for (const { line, cells, isOpen } of heading === -1 ? lines : lines.slice(1)) {
    if (cells.every((cell) => cell === '')) continue;
    const id = cells[column] ?? '';
    const isUnclear = heading === -1 && cells.length > 1;
    const why = isOpen ? 'unclosed quote' : isUnclear ? UNCLEAR : problemOf(id);
    if (why !== undefined) problems.push({ line, why });
    else if (users.has(id)) doubled += 1;
    else users.add(id);
  }
  return { users: [...users], doubled, problems };
}

function problemOf(id: string): string | undefined {
  if (id === '') return 'no user ID';
  if (id.length > LENGTH_MAX) return `user ID with more than ${LENGTH_MAX.toLocaleString('en')} characters`;
  return id.isWellFormed() && !id.includes('\0') ? undefined : 'user ID with a character that cannot be stored';
}

/** Cells of a line of CSV. Quotes hold commas together, and a doubled quote stands for one. */
function cellsOf(line: string): { cells: string[]; isOpen: boolean } {
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
  return { cells: [...cells, cell.trim()], isOpen: isQuoted };
}
