// Which files an image gets, told without building it: the Dockerfile's `npm ci` installs what package-lock.json says, where it says.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isUnread } from './prune.mjs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;

/** Where a package of this name lies for code in `folder`: in its own node_modules, or in one above. */
function locate(name, folder) {
  for (let at = folder; ; at = dirname(at)) {
    const path = at === '.' || at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock[path]) return path;
    if (at === '.' || at === '') return undefined;
  }
}

/** npm installs peers too. Optional ones come along if something else needs them in production. */
const dependenciesOf = ({ dependencies, peerDependencies }) => Object.keys({ ...dependencies, ...peerDependencies });
const isInstalled = ({ dev, optional, devOptional }) => !dev && !optional && !devOptional;

/** Folders of all packages that an app needs in production, workspace libraries included. */
function packagesOf(app) {
  const found = new Set([`apps/${app}`]);
  for (const folder of found) {
    for (const name of dependenciesOf(lock[folder])) {
      const path = locate(name, folder);
      if (path && isInstalled(lock[path])) found.add(lock[path].link ? lock[path].resolved : path);
    }
  }
  return [...found];
}

/** Sources are deleted after the build, and .dockerignore keeps tests away. */
const isLeftBehind = (path) => /^(apps|libs|packages)\/[^/]+\/(src|test)\//.test(path);

function filesOf(folder, platform) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((path) => !path.slice(folder.length).includes('/node_modules/'))
    .filter((path) => !isLeftBehind(path) && !isUnread(path, platform));
}

/** Paths of the files that the image of an app has besides its base, relative to the workspace. All has to be built. */
export function contentsOf(app, platform) {
  const folders = packagesOf(app).filter((folder) => existsSync(folder));
  // The gateway serves the console.
  if (app === 'gateway') folders.push('apps/console/dist');
  return folders.flatMap((folder) => filesOf(folder, platform));
}
