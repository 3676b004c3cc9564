const GAP = '  ';
const CELL_CHARS_MAX = 60;

/** Rows in columns that are as wide as their widest cell. The last one is never cut. Without rows it is `empty`. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], empty = 'none'): string {
  if (rows.length === 0) return empty;
  const all = [
    headings,
    ...rows.map((row) => row.map((cell, column) => (column < row.length - 1 ? oneLine(cell) : printable(cell)))),
  ];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(GAP);
  return all.map((row) => line(row).trimEnd()).join('\n');
}

/** Pairs of a name and a value, one a line. */
export const facts = (pairs: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(pairs)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.padEnd(14)}${value}`)
    .join('\n');

/** Text of others for a cell: safe for a terminal, and not too long. */
export function oneLine(text: string): string {
  const plain = printable(text);
  return plain.length > CELL_CHARS_MAX ? `${plain.slice(0, CELL_CHARS_MAX - 1)}…` : plain;
}

/** Text of several lines as one, safe for a terminal. */
export const unwrapped = (text: string): string => {
  const lines = text.split('\n').map((line) => line.trim());
  return printable(lines.filter(Boolean).join(' '));
};

/** Events hold what anybody sent. Their control characters could take over a terminal. */
export const printable = (text: string): string =>
  text.replace(/[\t\n]/g, ' ').replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');
