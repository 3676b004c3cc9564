import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { PATIENCE_MS } from '@weir/testing';
import { useHook } from '../support/hook.js';
import { expectWalk } from '../support/walk.js';
import { nobody } from '../support/workspace.js';

const run = promisify(execFile);
const EXAMPLE = join(import.meta.dirname, '../../../../examples/go');
/** Never fetches another Go: where this one is too old, the test is skipped. */
const GO_ENV = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly' };
/** A generator and a client of 60,000 lines are compiled, on a busy machine. */
const TEST_MS = 4 * PATIENCE_MS;

/** Whether Go is here and its modules can be had, as go.sum has them. */
const hasModules =
  spawnSync('go', ['mod', 'download'], { cwd: EXAMPLE, env: GO_ENV, timeout: PATIENCE_MS, stdio: 'ignore' }).status ===
  0;
const withGo = hasModules ? describe : describe.skip;

withGo('a client in Go (needs Go and the modules of examples/go)', () => {
  const hook = useHook();
  let folder: string;
  const go = (args: string[], env: object = {}) =>
    run('go', args, { cwd: folder, env: { ...GO_ENV, ...env }, timeout: TEST_MS });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weir-go-client-'));
    for (const name of ['go.mod', 'go.sum', 'walk.go']) cpSync(join(EXAMPLE, name), join(folder, name));
    mkdirSync(join(folder, 'weir'));
    writeFileSync(join(folder, 'openapi.json'), (await nobody().get('/openapi.json')).text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    'made from the document passes go vet and walks from create to replay',
    async () => {
      const output = ['-package', 'weir', '-o', 'weir/weir.gen.go'];
      await go(['tool', 'oapi-codegen', '-generate', 'types,client', ...output, 'openapi.json']);
      await go(['vet', './...']);
      await expectWalk({ hook, path: '/go' }, (env) => go(['run', '.'], env));
    },
    TEST_MS,
  );
});
