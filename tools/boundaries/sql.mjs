// Fails if a service sends SQL past `run` of the kit (npm run check:sql). TypeORM's `query` answers rows or `[rows, count]`,
// depending on the statement, and its result has no type.
import { globSync, readFileSync } from 'node:fs';

const SOURCES = '{apps,libs,packages}/*/src/**/*.ts';
/** Migrations get a runner of TypeORM, the kit wraps `query`, and the destination speaks to a database of a customer. */
const EXCEPT = [
  '**/*.spec.ts',
  '**/migrations/**',
  'libs/service-kit/**',
  'libs/local-servers/**',
  'libs/testing/**',
  'apps/e2e/**',
  'libs/destinations/src/kinds/postgres/**',
];
const QUERY = /\.query\s*[<(]/;

const files = globSync(SOURCES, { exclude: EXCEPT });
const found = files.flatMap((path) => {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, at) => (QUERY.test(line) ? [`${path}:${at + 1} calls query: use run<Row>()`] : []));
});
for (const place of found) process.stderr.write(`${place}\n`);
process.stdout.write(`${files.length} files send SQL through run\n`);
process.exit(found.length > 0 || files.length === 0 ? 1 : 0);
