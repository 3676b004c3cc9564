import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PATIENCE_MS } from '@weir/testing';
import { useHook } from '../support/hook.js';
import { expectWalk } from '../support/walk.js';
import { nobody } from '../support/workspace.js';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const PROGRAM = join(import.meta.dirname, '../../../../examples/typescript/walk.ts');
/** Below the project, so that the program finds its packages. */
const FOLDER = join(import.meta.dirname, `../../dist/client-${process.pid}`);
const STRICT = {
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noImplicitOverride: true },
  ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], types: ['node'] },
};
/** Two compilers and the walk, on a busy machine: each has all the time that a wait has. */
const TEST_MS = 4 * PATIENCE_MS;

const hook = useHook();

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'openapi.json'), (await nobody().get('/openapi.json')).text);
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, files: ['walk.ts'] }));
  copyFileSync(PROGRAM, join(FOLDER, 'walk.ts'));
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

it(
  'a client made from the document compiles strictly and walks from create to replay',
  async () => {
    const cli = join(resolve('openapi-typescript'), '../../bin/cli.js');
    const make = [cli, 'openapi.json', '--default-non-nullable=false', '-o', 'weir.d.ts'];
    await run(process.execPath, make, { cwd: FOLDER });
    const compile = [resolve('typescript/bin/tsc'), '-p', '.'];
    const compiled = await run(process.execPath, compile, { cwd: FOLDER }).catch((error) => error);
    expect(compiled.stdout).toBe('');

    await expectWalk({ hook, path: '/hook' }, (env) =>
      run(process.execPath, ['walk.js'], { cwd: FOLDER, env, timeout: PATIENCE_MS }),
    );
  },
  TEST_MS,
);
