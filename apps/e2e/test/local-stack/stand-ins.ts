import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROCESSES } from '@weir/contracts';
import { DEFAULT_APPS_DIR } from '@weir/local';

/** Behaves like a Weir process towards the launcher, and like a gateway that only greets towards a caller. */
const STAND_IN = `
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const { HOST, PORT, NATS_CREDENTIALS_FD } = process.env;
const descriptor = NATS_CREDENTIALS_FD ? readFileSync(Number(NATS_CREDENTIALS_FD), 'utf8') : undefined;
writeFileSync(process.argv[1] + '.seen.json', JSON.stringify({ env: process.env, descriptor }));
if (PORT) createServer((request, response) => response.end('hello')).listen(Number(PORT), HOST);
else setInterval(() => undefined, 60_000);
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
process.send({ type: 'ready' });
`;

/** Runs the launcher like `npm start`, with stand-ins for the processes of Weir. */
const START = `
import { runCli } from ${JSON.stringify(join(DEFAULT_APPS_DIR, '../deploy/local/dist/index.js'))};
await runCli({ argv: [], env: process.env, overrides: { appsDir: process.argv[2] } });
`;

export interface StandIns {
  appsDir: string;
  /** Script that starts the launcher with the stand-ins. Its argument is `appsDir`. */
  startScript: string;
}

/** Writes a folder of stand-in apps. Tests of the launcher need only the behaviour of its children. */
export function makeStandIns(): StandIns {
  const appsDir = mkdtempSync(join(tmpdir(), 'weir-stand-ins-'));
  writeFileSync(join(appsDir, 'package.json'), '{"type":"module"}');
  for (const process of PROCESSES) {
    const file = entryOf(appsDir, process);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, STAND_IN);
  }
  const startScript = join(appsDir, 'start.js');
  writeFileSync(startScript, START);
  return { appsDir, startScript };
}

export function entryOf(appsDir: string, process: string): string {
  const [app = '', entry = ''] = process.split('.');
  return join(appsDir, app, 'dist', `${entry}.js`);
}
