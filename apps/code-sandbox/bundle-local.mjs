// Bundles the sandbox for the machine of a developer into dist/bundle: three files that need isolated-vm and nothing else beside them.
import { copyFileSync } from 'node:fs';
import { build } from 'esbuild';

await build({
  entryPoints: ['src/local.ts', 'src/child.ts'],
  outdir: 'dist/bundle',
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  conditions: ['source'],
  // The bundler follows the others into parts of our libraries that it then leaves out, because nothing here uses them.
  external: ['isolated-vm', '@nestjs/*', '@nats-io/*', '@opentelemetry/*', 'rxjs', 'reflect-metadata', 'typeorm'],
  // As in the build of the server: fields read what the constructor was given.
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
  legalComments: 'none',
  logLevel: 'error',
});
copyFileSync('dist/guest-bundle.js', 'dist/bundle/guest-bundle.js');
