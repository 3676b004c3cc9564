// Fails on a comment that begins with a word that needs another one before it (npm run check:comments). `Of the code, in tests.` leaves
// the reader to guess the noun.
import { globSync, readFileSync } from 'node:fs';

const TEXTS = '{apps,libs,packages,deploy,tools,examples}/**/*.{ts,tsx,mjs,sh,yaml,tpl}';
const SKIPPED = ['**/node_modules/**', '**/dist/**', '**/generated/**', 'tools/comments*'];
const COMMENT = /^\s*(?:\/\*\*|\/\/|#|\*)(?<text>.*)/;
/** A comment behind code. */
const TRAILING = /[;,{}()[\]>]\s+(?:\/\/|\/\*\*)(?<text>\s.*)/;
const BEGINNING = /^\s*(?:of|by|else|what|whatever)\b/i;

/** The line numbers at which comments of the text begin badly. Later sentences of a comment may begin as they like. */
function badBeginnings(text) {
  const found = [];
  let isInside = false;
  for (const [at, line] of text.split('\n').entries()) {
    const said = COMMENT.exec(line)?.groups.text;
    const beside = TRAILING.exec(line)?.groups.text ?? '';
    if (BEGINNING.test(isInside ? '' : (said ?? beside))) found.push(at + 1);
    // `/**` alone opens a comment whose first sentence is on the next line
    isInside = said !== undefined && (isInside || said.trim() !== '') && !/(?:\*\/|^\/)$/.test(said);
  }
  return found;
}

const paths = globSync(TEXTS, { exclude: SKIPPED }).sort();
const problems = paths.flatMap((path) =>
  badBeginnings(readFileSync(path, 'utf8')).map((line) => `${path}:${line} begins without its subject`),
);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`comments of ${paths.length} files begin with their subject\n`);
process.exitCode = problems.length > 0 || paths.length === 0 ? 1 : 0;
