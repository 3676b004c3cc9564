// Arranges the OpenAPI files of a Kubernetes release as kubectl-validate reads them: apis/<group>/<version>.json.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [from = '', to = ''] = process.argv.slice(2);
for (const file of readdirSync(from)) {
  const [, path] = /^((?:api|apis__[^_]+)__[^_]+)_openapi\.json$/.exec(file) ?? [];
  if (!path) continue;
  const target = join(to, `${path.replaceAll('__', '/')}.json`);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(from, file), target);
}
