import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** Features of this repository's Node.js that Node.js 20 lacks. Many users still run 20. */
const YOUNGER = [
  /\bglob(?:Sync)?\b.*from 'node:fs/,
  /\bPromise\.(?:withResolvers|try)\b/,
  /\bArray\.fromAsync\b/,
  /\bRegExp\.escape\b/,
  /\.(?:isSubsetOf|isSupersetOf|symmetricDifference)\(/,
  /\b(?:Map|Object)\.groupBy\b/,
  /\bimport\.meta\.(?:main|resolve)\b/,
  /from 'node:sqlite'/,
  /\bnew WebSocket\(/,
  /\bprocess\.(?:loadEnvFile|getBuiltinModule)\b/,
];
const FOLDERS = ['.', '../../../packages/client/src'].map((folder) => join(import.meta.dirname, folder));

it('uses nothing that Node.js 20 does not have', () => {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(folder, file), 'utf8');
        return YOUNGER.filter((pattern) => pattern.test(text)).map((pattern) => `${file}: ${pattern}`);
      }),
  );
  expect(found).toEqual([]);
});
