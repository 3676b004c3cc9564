// Adds up what the image of each app gets besides its base, and refuses more than the limit (npm run check:images).
import { globSync, readFileSync, statSync } from 'node:fs';
import { contentsOf } from './contents.mjs';

/**
 * An image stays under 250 MB, so that a new node pulls it quickly. Debian's slim base and Node.js without its symbols take 189 MB
 * of them. 50 MB leave room for a base that grows.
 */
const CONTENTS_BYTES_MAX = 50_000_000;
/** In an archive, which a layer is, each file has a header and ends at a block. */
const BLOCK_BYTES = 512;
const archived = (path) => BLOCK_BYTES * (1 + Math.ceil(statSync(path).size / BLOCK_BYTES));

const apps = globSync('apps/*/package.json')
  .filter((path) => JSON.parse(readFileSync(path, 'utf8')).nx?.tags.includes('type:app'))
  .map((path) => path.split('/')[1])
  .sort();
for (const app of apps) {
  const bytes = contentsOf(app, 'linux-x64').reduce((sum, path) => sum + archived(path), 0);
  console.log(`${app}: ${(bytes / 1e6).toFixed(1)} MB besides the base`);
  if (bytes > CONTENTS_BYTES_MAX) {
    console.error(`${app} gets more than ${CONTENTS_BYTES_MAX / 1e6} MB (tools/images/check.mjs)`);
    process.exitCode = 1;
  }
}
