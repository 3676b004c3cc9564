// npm omits optional packages of other platforms from the lock file when it cannot reach them. Then `npm ci` refuses the file.
// This script adds the stub entries that `npm ci` requires. It also removes which Node.js each dependency wants: npm would warn
// about the one that it runs on itself, and Weir runs on the one that `npm ci` installs. Run it after each `npm install`
// (npm run lock). With --check it changes nothing, and fails if something is to do.
import { readFileSync, writeFileSync } from 'node:fs';

const before = readFileSync('package-lock.json', 'utf8');
const lock = JSON.parse(before);
const root = JSON.parse(readFileSync('package.json', 'utf8'));
let added = 0;

/** Names such as `@swc/core-darwin-arm64` contain the platform. npm decides about all others. */
function platformOf(name) {
  const os = /(darwin|linux|win32|freebsd|android|openharmony|sunos|aix|netbsd|openbsd)/.exec(name)?.[1];
  const cpu = /(arm64|x64|ia32|arm|ppc64|riscv64|s390x|wasm32|loong64|mips64el)/.exec(name)?.[1];
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }) };
}

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${path ? `${path}/` : ''}node_modules/${name}`;
    if (lock.packages[nested] || lock.packages[`node_modules/${name}`]) continue;
    const version = range.replace(/^[\^~>=]+/, '');
    lock.packages[`node_modules/${name}`] = { version, ...platformOf(name), optional: true };
    added += 1;
  }
}

for (const [path, entry] of Object.entries(lock.packages)) if (path.includes('node_modules/')) delete entry.engines;

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
const after = `${JSON.stringify(lock, null, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync('package-lock.json', after);
  process.stdout.write(`${root.name}: ${added} stub entries added to package-lock.json\n`);
} else if (after !== before) {
  process.stderr.write('package-lock.json is not complete: npm run lock\n');
  process.exitCode = 1;
}
