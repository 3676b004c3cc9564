// Bundles the command line with its packages into dist/weir.js, one file that runs wherever Node.js is, and puts the sandbox of
// `weir dev` beside it (the target `build`).
import { chmodSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const OUTFILE = 'dist/weir.js';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts'],
  outfile: OUTFILE,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  conditions: ['source'],
  // Packages in CommonJS call `require` for what Node.js brings.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  define: { WEIR_CLI_VERSION: JSON.stringify(version) },
  legalComments: 'none',
  logLevel: 'error',
});
chmodSync(OUTFILE, 0o755);
cpSync('../code-sandbox/dist/bundle', 'dist/sandbox', { recursive: true });
