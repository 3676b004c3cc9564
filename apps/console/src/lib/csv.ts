/** Signs between columns: a comma, a semicolon where the comma is the decimal sign, and a tab in what spreadsheets copy. */
export const SEPARATORS = [',', ';', '\t'] as const;

export interface Row {
  cells: string[];
  /** Says why the line cannot be read. Its cells are then no longer to be trusted. */
  why?: string;
}

/** Lines of a text, with the line ends of every system. A quoted cell that goes on over several lines is not read. */
export const linesOf = (text: string): string[] => text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);

/** Cells of a line of CSV. Quotes around a cell hold separators together, and a doubled quote within them stands for one. */
export function rowOf(line: string, separators: readonly string[]): Row {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let wasQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (isQuoted && char === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (isQuoted) {
      if (char === '"') isQuoted = false;
      else cell += char;
    } else if (separators.includes(char)) {
      cells.push(cell.trim());
      cell = '';
      wasQuoted = false;
    } else if (char === '"' && cell.trim() === '' && !wasQuoted) {
      cell = '';
      isQuoted = true;
      wasQuoted = true;
    } else if (char === '"' || (wasQuoted && char.trim() !== '')) return { cells, why: 'quote within a value' };
    else cell += char;
  }
  cells.push(cell.trim());
  return isQuoted ? { cells, why: 'unclosed quote' } : { cells };
}
