import type { Verdict } from './verdict.js';

/** Events hold what anybody sent, and a report is opened in a browser. The policy of the page is the second wall. */
const escaped = (text: string): string =>
  text
    .replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ');

const STYLE = `body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1b1b1f; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 2rem; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.6rem; border-bottom: 1px solid #d9d9de; overflow-wrap: anywhere; }
th { background: #f4f4f6; } td.number { text-align: right; } code { font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; }
.problem { color: #a11; }`;

/** A page that loads nothing and runs nothing. */
export function reportPage(verdicts: readonly Verdict[], { events, other }: { events: number; other: string }): string {
  const rows = verdicts.map(
    ({ destination, type, equal, different, missing, problem }) =>
      `<tr><td>${escaped(destination)}${problem === undefined ? '' : ` <span class="problem">${escaped(problem)}</span>`}</td><td>${escaped(type)}</td>${[equal, different, missing].map((count) => `<td class="number">${count}</td>`).join('')}</tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Weir and ${escaped(other)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>What Weir and the incumbent make of the same events</h1>
<p>${events} events, with ${escaped(other)}. Nothing was sent to a vendor.</p>
<table>
<thead><tr><th>destination</th><th>kind</th><th>equal</th><th>different</th><th>missing</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
${verdicts
  .filter(({ fields }) => fields.length > 0)
  .map(fieldsOf)
  .join('\n')}
</body>
</html>
`;
}

function fieldsOf({ destination, fields }: Verdict): string {
  const rows = fields.map(
    ({ path, events, example }) =>
      `<tr><td><code>${escaped(path)}</code></td><td class="number">${events}</td><td><code>${escaped(example.theirs)}</code></td><td><code>${escaped(example.ours)}</code></td><td><code>${escaped(example.messageId)}</code></td></tr>`,
  );
  return `<h2>${escaped(destination)}</h2>
<table>
<thead><tr><th>field</th><th>events</th><th>incumbent</th><th>Weir</th><th>of event</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}
