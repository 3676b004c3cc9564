import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '2.12.2';
const RELEASES = 'https://github.com/nats-io/nats-server/releases/download';

/**
 * SHA-256 of each platform's archive. Those for Linux stand in the official container image `nats:2.12.2-alpine`. All four stand in
 * the package list of Hermit (cashapp/hermit-packages, nats-server.hcl), which takes them from the SHA256SUMS of the release.
 */
const ARCHIVES: Record<string, { platform: string; sha256: string }> = {
  'linux-x64': {
    platform: 'linux-amd64',
    sha256: 'db587fd8b36ac732a8434e748b026ef77ed9cb714a4e57bd010b1de93c2f3801',
  },
  'linux-arm64': {
    platform: 'linux-arm64',
    sha256: '84d33b50a39bab605b0d5e0223fc15979ef97419b2184a5a5b7eb6a6d7561fc6',
  },
  'darwin-x64': {
    platform: 'darwin-amd64',
    sha256: '5b52fb4968d72b3368c2d626107a86293daab30b7dd16179db7522f54ca0beb0',
  },
  'darwin-arm64': {
    platform: 'darwin-arm64',
    sha256: 'd1e6d2cb36bf20e0ba8c2f50eeb4e6ea57f38353823fc77127dd676219591eea',
  },
};

/** A machine without internet access must not wait long before the next option. */
const DOWNLOAD_TIMEOUT_MS = 30_000;
/** The archives have 7 MB. */
const ARCHIVE_BYTES_MAX = 50_000_000;

/** An archive of the official release, with the folder that it unpacks to. */
export interface Release {
  name: string;
  url: string;
  sha256: string;
}

/** The pinned release for a platform as Node.js names it, such as `darwin-arm64`. */
export function pinnedRelease(platform = `${process.platform}-${process.arch}`): Release {
  const archive = ARCHIVES[platform];
  if (!archive) throw new Error(`no pinned release for ${platform}`);
  const name = `nats-server-v${VERSION}-${archive.platform}`;
  return { name, url: `${RELEASES}/v${VERSION}/${name}.tar.gz`, sha256: archive.sha256 };
}

/** Downloads the official release, verifies it and unpacks it. Resolves with the program's path in `workshop`. */
export async function downloadRelease(workshop: string, release: Release = pinnedRelease()): Promise<string> {
  const bytes = await download(release.url);
  if (createHash('sha256').update(bytes).digest('hex') !== release.sha256) {
    throw new Error(`${release.name}.tar.gz does not have the pinned SHA-256`);
  }
  writeFileSync(join(workshop, 'server.tar.gz'), bytes);
  execFileSync('tar', ['-xzf', 'server.tar.gz'], { cwd: workshop, stdio: 'ignore' });
  return join(workshop, release.name, 'nats-server');
}

async function download(url: string): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    if (Number(response.headers.get('content-length')) > ARCHIVE_BYTES_MAX) throw new Error('the archive is too large');
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    throw new Error(`the release could not be downloaded from ${new URL(url).host}`, { cause: error });
  }
}
