import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Its packages are installed and every app is built. */
export const BUILD_MS = 1_200_000;

/** The release before: a checkout that is built already, or a commit of the history here. */
export type ReleaseBefore = { folder: string } | { commit: string };

/**
 * `WEIR_TEST_BEFORE` names a built checkout, and `WEIR_TEST_BEFORE_REF` a tag or commit to build. Undefined without either, because
 * a build takes minutes. A commit that is not there, as in a shallow clone, is a failure.
 */
export function releaseBefore(): ReleaseBefore | undefined {
  const { WEIR_TEST_BEFORE: folder, WEIR_TEST_BEFORE_REF: ref } = process.env;
  if (folder) return { folder };
  if (!ref) return undefined;
  const found = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (found.status !== 0) throw new Error(`the history here has no commit ${ref}`);
  return { commit: found.stdout.trim() };
}

/** Returns the folder of its apps, and a function that removes what was made for it. */
export async function appsOf(release: ReleaseBefore): Promise<{ apps: string; remove(): Promise<void> }> {
  if ('folder' in release) return { apps: join(release.folder, 'apps'), remove: async () => undefined };
  const folder = join(mkdtempSync(join(tmpdir(), 'weir-before-')), 'checkout');
  await run('git', ['worktree', 'add', '--detach', folder, release.commit], ROOT);
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], folder);
  await run('npm', ['run', 'build'], folder);
  const remove = () => run('git', ['worktree', 'remove', '--force', folder], ROOT);
  if (!existsSync(join(folder, 'apps/gateway/dist/main.js'))) throw new Error(`${release.commit} was not built`);
  return { apps: join(folder, 'apps'), remove };
}

async function run(command: string, options: string[], cwd: string): Promise<void> {
  await promisify(execFile)(command, options, { cwd, timeout: BUILD_MS, maxBuffer: 16_777_216 });
}
