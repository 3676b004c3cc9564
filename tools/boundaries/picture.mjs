// Writes the picture of the projects into README.md from what their package.json files declare, which is what `nx graph` shows
// (npm run picture). With `--check` it fails if the picture is old. Arrows that follow from others are left out.
import { readFileSync, writeFileSync } from 'node:fs';
import { projects } from './projects.mjs';

const FILE = 'README.md';
const [START, END] = ['<!-- picture of the projects: npm run picture -->\n', '\n<!-- end of the picture -->'];

const all = projects();
const idOf = (name) => name.replace('@weir/', '');
const names = new Set(all.map(({ manifest }) => manifest.name));
const uses = new Map(
  all.map(({ manifest, type }) => [
    manifest.name,
    // The build of the command line holds our libraries, so it declares them for development.
    Object.keys({ ...manifest.dependencies, ...(type === 'cli' && manifest.devDependencies) }).filter((name) =>
      names.has(name),
    ),
  ]),
);

/** Whether `from` reaches `to` over at least one other project. */
const reaches = (from, to) =>
  uses.get(from).some((next) => next !== to && (uses.get(next).includes(to) || reaches(next, to)));

const isShown = ({ type }) => type !== 'e2e' && type !== 'testing' && type !== 'servers' && type !== 'stack';
const shown = all.filter(isShown).map(({ manifest, type }) => ({ name: manifest.name, isApp: type === 'app' }));
const arrows = shown.flatMap(({ name }) =>
  uses
    .get(name)
    .filter((to) => !reaches(name, to))
    .map((to) => `  ${idOf(name)} --> ${idOf(to)}`),
);
const apps = shown.filter(({ isApp }) => isApp).map(({ name }) => `    ${idOf(name)}`);
const lines = ['flowchart TD', '  subgraph apps', ...apps, '  end', ...arrows.sort()];
const picture = ['```mermaid', ...lines, '```'].join('\n');

const text = readFileSync(FILE, 'utf8');
const [from, to] = [text.indexOf(START) + START.length, text.indexOf(END)];
const wanted = `${text.slice(0, from)}\n${picture}\n${text.slice(to)}`;
if (process.argv.includes('--check') && wanted !== text) {
  process.stderr.write(`${FILE}: the picture of the projects is old (npm run picture)\n`);
  process.exit(1);
}
writeFileSync(FILE, wanted);
