import { reportText } from '../code/report.js';
import type { Colors } from '../core/output.js';
import { oneLine, printable, unwrapped } from '../core/table.js';
import type { Change } from '../project/compare.js';
import type { JsonObject } from '../project/json.js';
import type { ProjectRun } from './run-project.js';
import type { EventOutcome } from './shown-events.js';

const LOG_LINES_MAX = 20;

/** One run for people: tests, what the code printed, and what it made of each event. Events that stay the same are counted. */
export function runText({ outcomes, ...made }: ProjectRun, colors: Colors): string {
  return [...eventLines(made, colors), reportText(outcomes, colors)].join('\n');
}

/** Prints the result of the code for each event, and its logs. */
export function eventLines({ events, logs }: Pick<ProjectRun, 'events' | 'logs'>, colors: Colors): string[] {
  const { dim } = colors;
  const told = events.filter(({ outcome }) => outcome !== 'same').map((one) => eventText(one, colors));
  const same = events.length - told.length;
  const printed = logs.flatMap(({ transformation, lines }) =>
    lines.slice(0, LOG_LINES_MAX).map((line) => dim(`  log of ${printable(transformation)}: ${oneLine(line)}`)),
  );
  return [...told, ...printed, ...(same > 0 ? [dim(`${same} events stay the same`)] : [])];
}

function eventText({ transformation, test, event, outcome, changes, outputs, error }: EventOutcome, colors: Colors) {
  const { bold, red, yellow } = colors;
  const paint = { failed: red, dropped: yellow }[outcome as 'failed' | 'dropped'] ?? bold;
  const more = outcome === 'fanned out' ? ` to ${outputs.length}` : '';
  const head = `${printable(transformation)} · ${printable(test)} · ${titleOf(event)}: ${paint(outcome)}${more}`;
  return [
    head,
    ...changes.map((change) => `    ${changeText(change, colors)}`),
    ...(error ? [`    ${unwrapped(error.message)}`] : []),
  ].join('\n');
}

/** `track Bought m1`. */
export function titleOf(event: JsonObject): string {
  const words = [event['type'], event['event'] ?? event['name'], event['messageId']];
  return (
    words
      .filter((one) => typeof one === 'string' && one !== '')
      .map((one) => oneLine(String(one)))
      .join(' ') || 'event'
  );
}

function changeText(change: Change, { green, red, yellow }: Colors): string {
  if ('secret' in change) return printable(change.path);
  const { path, from, to } = change;
  const shown = (value: unknown) => oneLine(JSON.stringify(value) ?? '');
  if (from === undefined) return green(`+ ${printable(path)}: ${shown(to)}`);
  if (to === undefined) return red(`- ${printable(path)}: ${shown(from)}`);
  return yellow(`~ ${printable(path)}: ${shown(from)} → ${shown(to)}`);
}
