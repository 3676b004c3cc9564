// Verifies that every pattern of the product takes linear time (npm run check:patterns). A pattern that is not linear, or whose
// text is created at run time, needs a comment `// linear: why`. Such a comment without need is an error too.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { patternsIn } from './find.mjs';
import { problemOf } from './judge.mjs';

const SOURCES = ['{apps,libs,packages}/*/src/**/*.{ts,tsx}', 'deploy/local/src/**/*.ts', 'tools/**/*.mjs'];
const NOT_SHIPPED = ['**/*.spec.ts', '**/*.spec.mjs'];
/** Verdicts of earlier runs. A new pattern takes about a second, all of them half a minute. */
const CACHE = 'node_modules/.cache/weir/patterns.json';

const files = globSync(SOURCES, { exclude: NOT_SHIPPED });
const found = files.flatMap((path) => patternsIn(path, readFileSync(path, 'utf8')));
const verdicts = await verdictsOf(found.filter(({ source }) => source !== undefined));
const problems = found.flatMap((pattern) => {
  const problem = pattern.source === undefined ? 'is made at run time' : verdicts.get(keyOf(pattern));
  if (problem && !pattern.reason) return [`${shown(pattern)} ${problem}`];
  return !problem && pattern.reason ? [`${shown(pattern)} is linear: the comment on it can go`] : [];
});

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(
  `${found.length} patterns, ${found.filter(({ reason }) => reason).length} of them with a reason\n`,
);
// Ends the process that recheck leaves running.
process.exit(problems.length > 0 || found.length === 0 ? 1 : 0);

async function verdictsOf(patterns) {
  const cached = readCache();
  const byKey = new Map(patterns.map((pattern) => [keyOf(pattern), pattern]));
  const judged = await Promise.all(
    [...byKey].map(async ([key, pattern]) => [key, key in cached ? cached[key] : ((await problemOf(pattern)) ?? null)]),
  );
  mkdirSync('node_modules/.cache/weir', { recursive: true });
  writeFileSync(CACHE, JSON.stringify({ judge: judgeVersion(), verdicts: Object.fromEntries(judged) }));
  return new Map(judged);
}

/** Empty if the cache is from another version of the judge. */
function readCache() {
  try {
    const { judge, verdicts } = JSON.parse(readFileSync(CACHE, 'utf8'));
    return judge === judgeVersion() ? verdicts : {};
  } catch {
    return {};
  }
}

function judgeVersion() {
  const { version } = createRequire(import.meta.url)('recheck/package.json');
  return `${version} ${readFileSync(new URL('judge.mjs', import.meta.url), 'utf8')}`;
}

function keyOf({ source, flags }) {
  return `/${source}/${flags}`;
}

function shown({ path, line, source, flags, dynamic }) {
  return `${path}:${line} ${source === undefined ? `RegExp of ${dynamic}` : `/${source}/${flags}`}`;
}
