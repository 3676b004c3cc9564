// Prints the queries of rendered Grafana dashboards as recording rules, so that promtool can check them.
// Usage: node tools/dashboard-rules.mjs <manifest>
import { readFileSync } from 'node:fs';

const [manifest] = process.argv.slice(2);
const dashboards = [...readFileSync(manifest, 'utf8').matchAll(/^ {2}weir-[\w-]+\.json: (".*")$/gm)].map(([, text]) =>
  JSON.parse(JSON.parse(text)),
);
const queries = dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));
if (queries.length === 0) throw new Error(`${manifest} holds no dashboard`);
const rules = queries.map((expr, index) => ({ record: `query_${index}`, expr }));
console.log(JSON.stringify({ groups: [{ name: 'dashboards', rules }] }));
