// Fails if the first page of the console is heavier than its budget (npm run check:console). It counts, compressed, what the
// browser needs before it can show anything: the page itself, its entry with every static import, styles, and fonts of Latin.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = 'apps/console/dist';
const { firstLoadKilobytes } = JSON.parse(readFileSync('apps/console/budget.json', 'utf8'));
const manifest = JSON.parse(readFileSync(`${DIST}/.vite/manifest.json`, 'utf8'));

/** The first page is the frame, the overview, which is loaded at once behind it, and its chart. */
const ENTRIES = ['index.html', 'src/features/overview/overview.page.tsx', 'src/components/chart/bars.tsx'];
const files = new Set(['index.html', 'theme.js', 'favicon.svg']);
const add = (name) => {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${DIST}/.vite/manifest.json names no ${name}: build the console first`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const asset of chunk.assets ?? []) if (/latin-wght/.test(asset) && !/-ext-/.test(asset)) files.add(asset);
  for (const imported of chunk.imports ?? []) add(imported);
};
for (const entry of ENTRIES) add(entry);

/** Fonts are compressed already. */
const bytesOf = (file) => {
  const content = readFileSync(`${DIST}/${file}`);
  return file.endsWith('.woff2') ? content.length : gzipSync(content).length;
};
const kilobytes = [...files].reduce((sum, file) => sum + bytesOf(file), 0) / 1_024;
const said = `the first page of the console takes ${kilobytes.toFixed(0)} KB in ${files.size} files, of at most ${firstLoadKilobytes} KB`;
if (kilobytes > firstLoadKilobytes) {
  process.stderr.write(`${said}\n`);
  process.exit(1);
}
process.stdout.write(`${said}\n`);
