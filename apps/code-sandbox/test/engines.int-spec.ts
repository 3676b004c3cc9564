import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ENGINES, type Engine } from './corpus/engines.js';

const { version } = JSON.parse(
  readFileSync(new URL('../../../node_modules/isolated-vm/package.json', import.meta.url), 'utf8'),
);

it('the corpus of escapes was run against this V8 and this isolated-vm', () => {
  const engine: Engine = { v8: process.versions.v8.split('.', 2).join('.'), isolatedVm: version };
  expect(ENGINES).toContainEqual(engine);
});
