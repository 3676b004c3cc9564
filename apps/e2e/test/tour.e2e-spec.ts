import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordingServer, sharedStack } from '@weir/testing';
import { newWorkspace, type Workspace } from './support/workspace.js';

const README = resolve(import.meta.dirname, '../../../README.md');
/** Users paste one block after the other, and not all at once. */
const BETWEEN_STEPS = 'sleep 1';
const STEP = '@@ step';

/** The shell blocks of the tour, exactly as in the README. */
function tourBlocks(): string[] {
  const [, tour = ''] = readFileSync(README, 'utf8').split('## A tour in five minutes');
  const [section = ''] = tour.split('\n## ');
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => String(block));
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const { port, close } = await recordingServer();
  await close();
  return port;
}

/** Runs a script like a user's terminal, and returns everything it printed. */
function runInShell(script: string, cwd: string): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((done, fail) => {
    const shell = spawn('sh', { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk));
    shell.once('error', fail).once('close', (exitCode) => done({ exitCode, output }));
    shell.stdin.end(script);
  });
}

describe('the tour of the README', () => {
  let own: Workspace;
  let folder: string;
  let steps: string[];
  let exitCode: number | null;

  beforeAll(async () => {
    own = await newWorkspace();
    folder = mkdtempSync(join(tmpdir(), 'weir-tour-'));
    // The launcher's own file, but with the token of a workspace that no other test uses.
    const launchers = readFileSync(join(sharedStack().dataDir, 'env'), 'utf8');
    writeFileSync(join(folder, 'env'), `${launchers}export TOKEN='${own.tokens.admin}'\n`);
    const port = await freePort();
    const blocks = tourBlocks().map((block) => block.replaceAll('.weir/env', './env').replaceAll('4000', `${port}`));
    const script = blocks.map((block, n) => `echo; echo '${STEP} ${n + 1}'\n${block}\n${BETWEEN_STEPS}\n`);
    const ran = await runInShell(`${script.join('')}kill $!\n`, folder);
    exitCode = ran.exitCode;
    steps = ran.output.split(new RegExp(`${STEP} \\d+\\n`));
  }, 45_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The JSON that a step printed on lines of its own. */
  const printed = (step: number) =>
    (steps[step] ?? '')
      .split('\n')
      .filter((line) => /^[[{]/.test(line))
      .flatMap((line) => JSON.parse(line.replace(/OK$/, '')));

  it('works as pasted, from the first step to the last', () => {
    expect(steps.slice(1)).toHaveLength(7);
    expect(steps.join('')).not.toMatch(/not found|error|refused/i);
    expect(exitCode).toBe(0);
  });

  it('is sourced from the variables that the launcher wrote', () => {
    const { accessToken, admin, urls } = sharedStack();
    const file = readFileSync(join(sharedStack().dataDir, 'env'), 'utf8');
    for (const value of [accessToken, admin.password, urls[0] as string]) expect(file).toContain(value);
  });

  it('connects a source and publishes the code', () => {
    expect(printed(2)).toMatchObject([{ connection: { enabled: true } }]);
    expect(printed(3)).toMatchObject([{ name: 'mask e-mail', destinations: [expect.any(String)] }]);
  });

  it('shows what the destination would get', () => {
    const [{ data }] = printed(4);
    const masked = { context: { traits: { email: '***' } }, seenBy: 'weir' };
    expect(data).toMatchObject([
      { user_transformed_payload: masked, dest_transformed_payload: [{ body: { JSON: masked } }] },
    ]);
  });

  it('delivers the event transformed, and nothing after the suppression', () => {
    const received = steps.join('').match(/^>>> .*$/gm) ?? [];
    expect(received).toHaveLength(1);
    const [, path, json = ''] = /^>>> (\S+) (.*)$/.exec(received[0] ?? '') ?? [];
    expect(path).toBe('/hook');
    expect(JSON.parse(json)).toMatchObject({
      event: 'Bought',
      properties: { price: 12.5 },
      context: { traits: { email: '***' } },
      seenBy: 'weir',
    });
  });

  it('suppresses the user and counts one event of one model', () => {
    expect(steps[6]).toContain('"canceled":false');
    expect(steps[6]).toMatch(/OK\s*$/);
    expect(printed(7)).toMatchObject([{ EventType: 'track', EventIdentifier: 'Bought', TotalCount: 1 }]);
  });
});
