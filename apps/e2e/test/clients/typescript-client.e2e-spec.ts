import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PATIENCE_MS, sharedStack, until } from '@weir/testing';
import { eventsAt, useHook } from '../support/hook.js';
import { newWorkspace, nobody } from '../support/workspace.js';

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

    hook.script({ status: 422, body: { problem: 'not yet' } });
    const { tokens } = await newWorkspace();
    const env = { WEIR_URL: sharedStack().urls[0], WEIR_TOKEN: tokens.admin, HOOK_URL: `${hook.url}/hook` };
    const walked = await run(process.execPath, ['walk.js'], { cwd: FOLDER, env, timeout: PATIENCE_MS });
    expect(walked.stdout).toBe('Order Placed failed at delivery: {"problem":"not yet"}\n1 replayed\n');
    const sent = await until(
      'the replayed event',
      () => eventsAt(hook, '/hook').length === 2 && eventsAt(hook, '/hook'),
    );
    expect(sent[1]).toMatchObject({ event: 'Order Placed', properties: { total: 42, checked: true } });
  },
  TEST_MS,
);
