import type { Import } from './import.js';
import type { Entry } from './ledger.js';

export interface Summary {
  /** Values of the incumbent's files. */
  values: number;
  mapped: number;
  kept: number;
  lost: number;
}

export const summaryOf = (entries: readonly Entry[]): Summary => {
  const count = (outcome: Entry['outcome']) => entries.filter((one) => one.outcome === outcome).length;
  return { values: entries.length, mapped: count('mapped'), kept: count('kept'), lost: count('lost') };
};

/** The report for people. `import-report.json` has each value. Neither holds a value itself, because many are secrets. */
export function reportOf({ ledger, losses, project }: Import): string {
  const entries = ledger.entries();
  const { values, mapped, kept, lost } = summaryOf(entries);
  return `# What came along

${values} values: ${mapped} are in the files, ${kept} are in the files without effect, ${lost} are not mapped.

| resource | in the files |
| --- | --- |
${(['sources', 'destinations', 'connections', 'transformations', 'libraries', 'credentials'] as const)
  .map((folder) => `| ${folder} | ${project[folder].length} |`)
  .join('\n')}

## What events would lose

${losses.length === 0 ? 'Nothing.' : losses.map(({ what, events }) => `- ${cell(what)}: ${cell(events)}.`).join('\n')}

## Not mapped

${tableOf(entries.filter(({ outcome }) => outcome === 'lost'))}

## Kept without effect

${tableOf(entries.filter(({ outcome }) => outcome === 'kept'))}
`;
}

/** Values that differ by their place in a list only have one row. */
function tableOf(entries: readonly Entry[]): string {
  if (entries.length === 0) return 'Nothing.';
  const rows = new Map<string, number>();
  for (const { path, what } of entries) {
    const row = `${cell(withoutIndexes(path))} | ${cell(what)}`;
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  return [
    '| key | why | values |',
    '| --- | --- | --- |',
    ...[...rows].map(([row, count]) => `| ${row} | ${count} |`),
  ].join('\n');
}

const withoutIndexes = (path: string): string =>
  path
    .split('.')
    .map((key) => (/^\d+$/.test(key) ? '*' : key))
    .join('.');

/** Names come from others: a line end or a bar would break the table. */
const cell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
