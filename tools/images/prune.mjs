// Deletes from the current folder what no process of an image reads: node prune.mjs [architecture], in the Dockerfile. It builds for
// other machines too, which have their names from Docker.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Files for people, compilers and debuggers, and archives that were published by mistake. */
const UNREAD_FILES = /\.(map|[mc]?ts|tsbuildinfo|md|tgz)$/i;
const LICENCES = /(^|\/)(licen[cs]e|notice|copying)[^/]*$/i;

/** Folders at the root of a package. Deeper ones may hold code, such as dist/doc of yaml. */
const UNREAD_FOLDERS = new Set(
  'test tests __tests__ doc docs example examples bench benchmark benchmarks browser dist-types .github'.split(' '),
);

function isInUnreadFolder(path) {
  const inPackages = path.split('node_modules/').at(-1);
  if (inPackages === path) return false;
  const [folder, file] = inPackages.split('/').slice(inPackages.startsWith('@') ? 2 : 1);
  return file !== undefined && UNREAD_FOLDERS.has(folder);
}

/** Native code that runs nowhere but on other machines. The bases of our images have glibc. */
const isForOthers = (path, platform) =>
  /(^|\/)prebuilds\//.test(path) && (!path.includes(`/prebuilds/${platform}/`) || path.endsWith('.musl.node'));

/** True for what an image does without. `path` is relative to the workspace, `platform` is such as linux-arm64. */
export function isUnread(path, platform) {
  if (LICENCES.test(path)) return false;
  return UNREAD_FILES.test(path) || isInUnreadFolder(path) || isForOthers(path, platform);
}

/** Links of npm to workspace libraries are not followed. */
function prune(folder, platform) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) prune(path, platform);
    else if (entry.isFile() && isUnread(path, platform)) rmSync(path);
  }
}

if (import.meta.main) {
  const architecture = process.argv[2] || process.arch;
  prune('.', `linux-${architecture === 'amd64' ? 'x64' : architecture}`);
}
