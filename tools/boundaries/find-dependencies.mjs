import { globSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import ts from 'typescript';

const TEST = /\.spec\.tsx?$|-spec\.ts$|\/test\//;
/** Packages that are used without an import: a driver that TypeORM loads, files that are served, and programs of builds and tests. */
const LOADED = {
  'apps/console': [
    '@fontsource-variable/inter',
    '@tailwindcss/vite',
    '@types/react-dom',
    '@vitejs/plugin-react',
    'tailwindcss',
    'vite',
  ],
  'libs/service-kit': ['pg'],
  'packages/client': ['openapi-typescript'],
  'apps/e2e': [
    '@rudderstack/analytics-js',
    '@segment/analytics-next',
    'axe-core',
    'openapi-fetch',
    'openapi-typescript',
  ],
};

/**
 * Packages that the project imports and its package.json does not name. Tests may also import what `forTests` names. The command
 * line is built into one file and published. No registry has our libraries, so it declares them for development.
 */
export function undeclared({ path, manifest, type }, forTests) {
  const { source, tests } = importsOf(path);
  const bundled = Object.keys((type === 'cli' && manifest.devDependencies) || {});
  const runtime = [manifest.name, ...Object.keys(manifest.dependencies ?? {}), ...bundled];
  const inTests = [...runtime, ...Object.keys(manifest.devDependencies ?? {}), ...forTests];
  // A package of types alone, such as `estree`, is imported without its scope.
  const isTypesOnly = (name) => Object.hasOwn(manifest.devDependencies ?? {}, `@types/${name}`);
  const missing = [...source].filter((name) => !runtime.includes(name) && !isTypesOnly(name));
  return [...missing, ...[...tests].filter((name) => !inTests.includes(name) && !missing.includes(name))];
}

/** Packages that its package.json names, and that neither the project nor a declared package needs. */
export function unused({ path, manifest }) {
  const { source, tests } = importsOf(path);
  const dependencies = Object.keys(manifest.dependencies ?? {});
  const needed = new Set([...source, ...dependencies.flatMap((name) => peersOf(path, name)), ...(LOADED[path] ?? [])]);
  const inDevelopment = (name) => [name, name.replace('@types/', '')].some((one) => needed.has(one) || tests.has(one));
  const ofDevelopment = Object.keys(manifest.devDependencies ?? {});
  return [...dependencies.filter((name) => !needed.has(name)), ...ofDevelopment.filter((name) => !inDevelopment(name))];
}

function importsOf(path) {
  const source = new Set();
  const tests = new Set();
  for (const file of globSync(`${path}/{src,test}/**/*.{ts,tsx}`)) {
    const names = ts
      .preProcessFile(readFileSync(file, 'utf8'), true, true)
      .importedFiles.map(({ fileName }) => fileName);
    for (const name of names) {
      if (!name.startsWith('.') && !isBuiltin(name)) (TEST.test(file) ? tests : source).add(packageOf(name));
    }
  }
  return { source, tests };
}

/** `@scope/name/file` is a file of `@scope/name`. */
const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Packages that `name` expects beside it. */
function peersOf(path, name) {
  const folders = createRequire(`${process.cwd()}/${path}/package.json`).resolve.paths(name) ?? [];
  for (const folder of folders) {
    try {
      const { peerDependencies = {}, peerDependenciesMeta = {} } = JSON.parse(
        readFileSync(`${folder}/${name}/package.json`, 'utf8'),
      );
      return Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    } catch {} // not in this folder
  }
  return [];
}
