import { readFileSync } from 'node:fs';

/**
 * Joins the guest's files into one module, dependencies first. Every run loads it into its fresh context, and a single module
 * loads many times faster than a dozen.
 */
export function guestCode(entry: URL): string {
  const seen = new Set<string>();
  const pieces: string[] = [];
  const add = (file: URL) => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    const kept = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith(SOURCE_MAP))
      .map((line) => {
        const { comment, specifier } = importIn(line);
        if (specifier === undefined) return line;
        add(new URL(specifier, file));
        return comment;
      });
    pieces.push(kept.join('\n'));
  };
  add(entry);
  return pieces.join('\n');
}

const SOURCE_MAP = '//# sourceMappingURL=';
const COMMENT_END = '*/ ';

/**
 * Finds an import or re-export as the build leaves it, possibly after the end of a comment. Guest files contain no other forms.
 */
function importIn(line: string): { comment: string; specifier?: string | undefined } {
  const end = line.lastIndexOf(COMMENT_END);
  const at = end < 0 ? 0 : end + COMMENT_END.length;
  const statement = line.slice(at);
  const isImport = /^(?:import|export) \{/.test(statement);
  return { comment: line.slice(0, at), specifier: isImport ? / from '(\.[^']+)';$/.exec(statement)?.[1] : undefined };
}
