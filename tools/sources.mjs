// Loads TypeScript sources of this repository without a build: bundles them with their workspace libraries, and leaves packages alone.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Packages are resolved from the entry's own folder, so the bundle lies beside it while it is read. */
const packagesStayOutside = {
  name: 'packages-stay-outside',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path }) => (path.startsWith('@weir/') ? undefined : { path, external: true }));
  },
};

/** The exports of a source file. `project` is its folder, such as `apps/gateway`. */
export async function loadSource(project, file) {
  const outfile = join(project, `.${process.pid}-${file.replaceAll(/\W/g, '-')}.mjs`);
  try {
    await build({
      entryPoints: [join(project, file)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['source'],
      tsconfig: 'tsconfig.base.json',
      keepNames: true,
      plugins: [packagesStayOutside],
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}

/** The kinds of destinations with the file of each. */
export async function loadKinds() {
  const [project, file] = ['libs/destinations', 'src/kinds/index.ts'];
  const byVariable = await loadSource(project, file);
  const lines = readFileSync(join(project, file), 'utf8').matchAll(/default as (\w+) \} from '\.\/([^']+)\.js'/g);
  return [...lines].map(([, variable, path]) => ({ kind: byVariable[variable], file: path }));
}
