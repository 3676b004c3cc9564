import { readFileSync } from 'node:fs';

/** The imports and re-exports that the build leaves, behind a comment maybe; a guest file has no others. */
const IMPORT = /(?<=^|\*\/ )(?:import|export) \{[^}]*\} from ['"](\..*?)['"];$/gm;

/**
 * The guest's files as one module, dependencies first. Every run loads it into its fresh context, and one module does
 * that many times faster than a dozen.
 */
export function guestCode(entry: URL): string {
  const seen = new Set<string>();
  const pieces: string[] = [];
  const add = (file: URL) => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    const text = readFileSync(file, 'utf8');
    for (const [, specifier = ''] of text.matchAll(IMPORT)) add(new URL(specifier, file));
    pieces.push(text.replace(IMPORT, '').replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  };
  add(entry);
  return pieces.join('\n');
}
