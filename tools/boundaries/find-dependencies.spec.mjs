import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { undeclared, unused } from './find-dependencies.mjs';

const path = mkdtempSync(join(tmpdir(), 'weir-dependencies-'));
mkdirSync(join(path, 'src'));
mkdirSync(join(path, 'test'));
writeFileSync(
  join(path, 'src/main.ts'),
  "import 'node:fs';\nimport { z } from 'zod';\nvoid import('@nats-io/kv/lib');\n",
);
writeFileSync(join(path, 'test/main.int-spec.ts'), "import { it } from '@jest/globals';\nimport pg from 'pg';\n");
afterAll(() => rmSync(path, { recursive: true }));

const project = (dependencies, devDependencies = {}) => ({
  path,
  manifest: { name: '@weir/a', dependencies, devDependencies },
});

describe('check:dependencies', () => {
  it('accepts a project that declares exactly what it imports', () => {
    const exact = project({ zod: '1', '@nats-io/kv': '1' }, { pg: '1', '@types/pg': '1' });
    expect(undeclared(exact, ['@jest/globals'])).toEqual([]);
    expect(unused(exact)).toEqual([]);
  });

  it('finds imports that are not declared, and a test dependency does not cover the source', () => {
    expect(undeclared(project({}, { zod: '1' }), ['@jest/globals'])).toEqual(['zod', '@nats-io/kv', 'pg']);
  });

  it('takes what the command line declares for development, because its build holds it', () => {
    const bundled = project({ zod: '1' }, { '@nats-io/kv': '1', pg: '1' });
    expect(undeclared({ ...bundled, type: 'cli' }, ['@jest/globals'])).toEqual([]);
    expect(undeclared({ ...bundled, type: 'app' }, ['@jest/globals'])).toEqual(['@nats-io/kv']);
  });

  it('finds declarations that nothing imports, or only a test', () => {
    const much = project({ zod: '1', '@nats-io/kv': '1', pg: '1', fastify: '1' }, { ajv: '1' });
    expect(unused(much)).toEqual(['pg', 'fastify', 'ajv']);
  });
});
