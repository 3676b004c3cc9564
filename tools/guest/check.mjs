// Verifies that the sandbox driver calls nothing that user code can have replaced (npm run check:guest).
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { problemsIn } from './find.mjs';

const GUEST = 'apps/code-sandbox/src/guest';
/**
 * `guest/web` and the code that reads addresses run only in calls of user code, with its time and memory. Breaking them breaks
 * only that user's program. The others finish their work before user code starts.
 */
const NOT_CHECKED = ['primordials.ts', 'realm.ts', 'fixed-buffers.ts', 'console.ts', 'non-public.ts', 'watch.ts'];

const files = globSync(`${GUEST}/*.ts`, { exclude: ['**/*.spec.ts'] });
const problems = problemsIn(files.filter((path) => !NOT_CHECKED.includes(basename(path))));
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${files.length - NOT_CHECKED.length} files of the guest\n`);
process.exit(problems.length > 0 || files.length <= NOT_CHECKED.length ? 1 : 0);
