// Bundles the command line with its packages into dist/weir.js, one file that runs wherever Node.js is (the target `build`).
import { chmodSync, readFileSync, rmSync } from 'node:fs';
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
