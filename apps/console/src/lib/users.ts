import { linesOf, type Row, rowOf, SEPARATORS } from './csv.js';

/** Names of the column of users, without spaces and signs. The first that a file has counts: beside a user id, `id` is the number of a row. */
const HEADINGS = ['userid', 'id'];
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
  /** The column that holds them, as the first line names it. Undefined where each line is a user. */
  column?: string;
  /** Lines that repeat an earlier user. */
  doubled: number;
  /** Lines that name nobody, and are left out. */
  problems: Problem[];
}

/** How to read the lines: which separator they have, how many columns, and which of them names the user. */
interface Header {
  separators: readonly string[];
  columns: number;
  at: number;
  name?: string;
}

/** Each line is a user. */
const NO_HEADER: Header = { separators: SEPARATORS, columns: 1, at: 0 };

/**
 * User ids of what was typed or of a CSV file: one a line, or one a line in the column that the first line names. A line of other columns
 * than those is a problem: a part of an id, or the cell beside it, could be the id of somebody else.
 */
export function usersOf(text: string): Users {
  const lines = linesOf(text);
  const first = lines.findIndex((line) => line.trim() !== '');
  const header = headerOf(lines[first] ?? '');
  if ('why' in header) return { users: [], doubled: 0, problems: [{ line: first + 1, why: header.why }] };
  const { name } = header;
  const users = new Set<string>();
  const problems: Problem[] = [];
  let doubled = 0;
  for (const [index, line] of lines.entries()) {
    if (name !== undefined && index <= first) continue;
    const row = rowOf(line, header.separators);
    if (!row.why && row.cells.every((cell) => cell === '')) continue;
    const id = row.cells[header.at] ?? '';
    const why = problemOf(row, header) ?? problemOfId(id);
    if (why !== undefined) problems.push({ line: index + 1, why });
    else if (users.has(id)) doubled += 1;
    else users.add(id);
  }
  return { users: [...users], ...(name !== undefined && { column: name }), doubled, problems };
}

/** The header in a first line, if it is one. */
function headerOf(line: string): Header | { why: string } {
  const used = SEPARATORS.filter((one) => line.includes(one)).map((one) => [one]);
  for (const heading of HEADINGS)
    for (const separators of used.length > 0 ? used : [SEPARATORS]) {
      const { cells } = rowOf(line, separators);
      const [name, other] = cells.filter((cell) => plain(cell) === heading);
      if (other !== undefined) return { why: `two columns may name the user: "${name}" and "${other}". Keep one` };
      if (name === undefined) continue;
      return { separators, columns: cells.length, at: cells.indexOf(name), name };
    }
  return NO_HEADER;
}

/** `User-ID` and `user_id` are the same name. */
const plain = (cell: string): string => cell.toLowerCase().replace(/[\s_-]/g, '');

function problemOf({ cells, why }: Row, { columns, name }: Header): string | undefined {
  if (why !== undefined) return why;
  if (cells.length === columns) return undefined;
  return name === undefined ? UNCLEAR : `not as many columns as in the header line (${cells.length}, not ${columns})`;
}

function problemOfId(id: string): string | undefined {
  if (id === '') return 'no user ID';
  if (id.length > LENGTH_MAX) return `user ID with more than ${LENGTH_MAX.toLocaleString('en')} characters`;
  if (/\p{Cc}/u.test(id)) return 'user ID with a control character, such as a tab';
  return id.isWellFormed() ? undefined : 'user ID with a character that cannot be stored';
}
