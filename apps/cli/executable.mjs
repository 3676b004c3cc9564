// Makes the command line one executable file for this platform, with Node.js inside: node executable.mjs [file] (the target
// `executable`). https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'postject';

const { platform, arch, execPath } = process;
const SUFFIX = platform === 'win32' ? '.exe' : '';
const OUTFILE = resolve(process.argv[2] ?? `dist/weir-${platform}-${arch}${SUFFIX}`);
/** Node.js looks for what is injected behind this text, which its documentation names. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const work = mkdtempSync(join(tmpdir(), 'weir-executable-'));
try {
  const [main, output, config] = ['weir.cjs', 'weir.blob', 'sea.json'].map((name) => join(work, name));
  // Node.js 24 runs CommonJS alone from inside of an executable.
  await build({
    entryPoints: ['src/main.ts'],
    outfile: main,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    conditions: ['source'],
    banner: { js: "const weirUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { WEIR_CLI_VERSION: JSON.stringify(version), 'import.meta.url': 'weirUrl' },
    legalComments: 'none',
    logLevel: 'error',
  });
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }));
  execFileSync(execPath, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(dirname(OUTFILE), { recursive: true });
  copyFileSync(execPath, OUTFILE);
  chmodSync(OUTFILE, 0o755);
  const isMac = platform === 'darwin';
  // The injected code breaks the signature of Node.js, and macOS refuses to run a file with a broken signature.
  if (isMac) execFileSync('codesign', ['--remove-signature', OUTFILE]);
  const segment = isMac ? { machoSegmentName: 'NODE_SEA' } : {};
  await inject(OUTFILE, 'NODE_SEA_BLOB', readFileSync(output), { sentinelFuse: FUSE, ...segment });
  if (isMac) execFileSync('codesign', ['--sign', '-', OUTFILE]);
} finally {
  rmSync(work, { recursive: true });
}
