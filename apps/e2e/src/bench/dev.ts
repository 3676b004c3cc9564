import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@weir/testing';
import { figure, latencies } from './report.js';

/** The built command line. */
const PROGRAM = join(import.meta.dirname, '../../../cli/dist/weir.js');

const SAVES = 20;
/** Between two saves, so that each finds the command waiting. */
const PAUSE_MS = 200;
/** As many as `weir dev` fetches: five of each of the forty most frequent events. */
const SAMPLES = 200;
const TRANSFORMATIONS = 20;

/** `npm run bench -- dev`: how long after a save `weir dev` shows what the code makes of tests and sampled events. */
export async function dev(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-dev-'));
  try {
    writeProject(folder);
    await measure(folder, `one of ${TRANSFORMATIONS} transformations`, ['mask0']);
    await measure(folder, `all ${TRANSFORMATIONS} transformations`, []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, name: string, args: readonly string[]): Promise<void> {
  save(folder, 0, 'before');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'dev', ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const shows = reader(child);
  try {
    figure(`${name}: first result`, (await shows('before')) - startedAt, 'ms');
    const waits: number[] = [];
    for (let at = 0; at < SAVES; at += 1) {
      await sleep(PAUSE_MS);
      const savedAt = performance.now();
      save(folder, 0, `save ${at} of ${name}`);
      waits.push((await shows(`save ${at} of ${name}`)) - savedAt);
    }
    latencies(
      `${name}: save to result`,
      waits.toSorted((a, b) => a - b),
    );
  } finally {
    child.kill('SIGINT');
    await once(child, 'exit');
  }
}

/** Resolves with the time at which a result with this mark was printed to its end. */
function reader(child: ChildProcess): (mark: string) => Promise<number> {
  let [printed, lastAt] = ['', 0];
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
    lastAt = performance.now();
  });
  return async (mark) => {
    await until(`the result of ${mark}`, () => {
      if (child.exitCode !== null) throw new Error('weir dev has ended');
      const at = printed.indexOf(`"${mark}"`);
      return at !== -1 && printed.includes(END, at);
    });
    printed = '';
    return lastAt;
  };
}

/** In the last line of a result. */
const END = ' passed, ';

function writeProject(folder: string): void {
  for (const part of ['transformations', 'libraries', '.weir']) mkdirSync(join(folder, part));
  writeFileSync(join(folder, 'weir.yaml'), 'version: 1\n');
  writeFileSync(join(folder, 'libraries/masks.js'), 'export const hide = (text) => text.replace(/^[^@]*/, "***");\n');
  for (let at = 0; at < TRANSFORMATIONS; at += 1) save(folder, at, 'before');
  const events = Array.from({ length: SAMPLES }, (_, at) => eventOf(at));
  const samples = { workspaceId: '000000000000000000000000000', events };
  writeFileSync(join(folder, '.weir/samples.json'), JSON.stringify(samples));
}

const eventOf = (at: number) => ({
  type: 'track',
  event: `Event ${at % 40}`,
  userId: `u${at}`,
  messageId: `m${at}`,
  properties: { price: at, email: `u${at}@example.com`, items: Array.from({ length: 5 }, (_, item) => ({ item })) },
});

const save = (folder: string, at: number, mark: string): void =>
  writeFileSync(
    join(folder, `transformations/mask${at}.js`),
    `import { hide } from 'masks';
export function transformEvent(event) {
  if (event.properties) event.properties = { ...event.properties, email: hide(String(event.properties.email)), mark: ${JSON.stringify(mark)} };
  return event;
}
`,
  );
