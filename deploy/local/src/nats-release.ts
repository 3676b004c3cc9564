import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '2.10.29';

/** SHA-256 of each platform's archive, from the official container image of this version. */
const ARCHIVES: Record<string, { arch: string; sha256: string }> = {
  'linux-x64': { arch: 'amd64', sha256: 'e314da74a83a1d3876db8814c27eb990fe729640fd6452025b441bcede8390da' },
  'linux-arm64': { arch: 'arm64', sha256: 'da4b27942ecfb4c5f0c54553d2e7f470ddda9d7581cfe8131b351a0e223ed401' },
};

/** A machine without internet access must not wait long before the next option. */
const DOWNLOAD_TIMEOUT_MS = 30_000;

/** Downloads the official release, verifies it and unpacks it. Resolves with the program's path in `workshop`. */
export async function downloadRelease(workshop: string): Promise<string> {
  const archive = ARCHIVES[`${process.platform}-${process.arch}`];
  if (!archive) throw new Error(`no pinned release for ${process.platform}-${process.arch}`);
  const name = `nats-server-v${VERSION}-linux-${archive.arch}`;
  const bytes = await download(`https://github.com/nats-io/nats-server/releases/download/v${VERSION}/${name}.tar.gz`);
  if (createHash('sha256').update(bytes).digest('hex') !== archive.sha256) {
    throw new Error(`${name}.tar.gz does not have the pinned SHA-256`);
  }
  writeFileSync(join(workshop, 'server.tar.gz'), bytes);
  execFileSync('tar', ['-xzf', 'server.tar.gz'], { cwd: workshop, stdio: 'ignore' });
  return join(workshop, name, 'nats-server');
}

async function download(url: string): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    throw new Error(`the release could not be downloaded from ${new URL(url).host}`, { cause: error });
  }
}
