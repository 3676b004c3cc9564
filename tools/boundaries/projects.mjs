import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Without what another branch has left behind, such as installed packages. */
const foldersOf = (parent) =>
  readdirSync(parent)
    .map((name) => `${parent}/${name}`)
    .filter((folder) => existsSync(`${folder}/package.json`));

/** Every project with its path, its package.json, and what its Nx tags say. */
export function projects() {
  return [...foldersOf('packages'), ...foldersOf('libs'), ...foldersOf('apps'), 'deploy/local'].map((path) => {
    const manifest = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
    const tag = (kind) => manifest.nx.tags.find((one) => one.startsWith(`${kind}:`))?.slice(kind.length + 1);
    return { path, manifest, type: tag('type'), scope: tag('scope') };
  });
}
