import { masked } from './mask.js';
import { shownValue } from './outcomes.js';
import { sliceText, stringify } from './primordials.js';
import { settings } from './settings.js';

/** As JSON, joined by commas. */
let lines = '';
let charsTaken = 0;

function addLine(label: string, parts: unknown[]): void {
  const charsLeft = settings.logChars - charsTaken;
  if (!settings.collectLogs || charsLeft <= 0) return;
  let line = label;
  for (let index = 0; index < parts.length; index += 1) line += ` ${shownValue(parts[index])}`;
  line = sliceText(masked(line, settings.secrets), 0, charsLeft);
  charsTaken += line.length;
  lines += `${lines === '' ? '' : ','}${stringify(line)}`;
}

export function log(...parts: unknown[]): void {
  addLine('Log:', parts);
}

export const logsJson = (): string => `[${lines}]`;

const LABELS = {
  log: 'Log:',
  info: 'Info:',
  warn: 'Warn:',
  error: 'Error:',
  debug: 'Debug:',
  trace: 'Trace:',
  dir: 'Log:',
};
/** They are about a terminal, which there is none of. */
const MUTE = [
  'table',
  'group',
  'groupCollapsed',
  'groupEnd',
  'time',
  'timeLog',
  'timeEnd',
  'count',
  'countReset',
  'clear',
];

/** Collects beside `log`, in tests only. */
export function newConsole(): Record<string, (...parts: unknown[]) => void> {
  const speaking = Object.entries(LABELS).map(([name, label]) => [
    name,
    (...parts: unknown[]) => addLine(label, parts),
  ]);
  const mute = MUTE.map((name) => [name, () => undefined]);
  const assert = (condition: unknown, ...parts: unknown[]) => {
    if (!condition) addLine('Error: Assertion failed', parts);
  };
  return { ...Object.fromEntries([...speaking, ...mute]), assert };
}
