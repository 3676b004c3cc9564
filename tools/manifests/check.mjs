// Checks rendered manifests, each file for itself: node tools/manifests/check.mjs <file...>
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { podOf, unrestricted, withoutService } from './rules.mjs';

const files = process.argv.slice(2);
let pods = 0;
for (const file of files) {
  const manifests = parseAllDocuments(readFileSync(file, 'utf8')).flatMap((document) => document.toJS() ?? []);
  pods += manifests.filter(podOf).length;
  for (const fault of [...withoutService(manifests), ...unrestricted(manifests)]) {
    console.error(`${file}: ${fault}`);
    process.exitCode = 1;
  }
}
if (pods === 0) throw new Error('no file holds a pod');
console.log(`${pods} kinds of pods in ${files.length} renderings`);
