import { settings, stringify } from './settings.js';

const lines: string[] = [];
let charsLeft = 0;

function addLine(label: string, parts: unknown[]): void {
  if (lines.length === 0) charsLeft = settings.logChars;
  if (!settings.collectLogs || charsLeft <= 0) return;
  const line = [label, ...parts.map(printed)].join(' ').slice(0, charsLeft);
  charsLeft -= line.length;
  lines.push(line);
}

export function log(...parts: unknown[]): void {
  addLine('Log:', parts);
}

export function printed(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Texts only are given to JSON: a `toJSON` that user code gave to all objects does not change them. */
export const logsJson = (): string => `[${lines.map((line) => stringify(line)).join(',')}]`;

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
    if (!condition) addLine('Error:', ['Assertion failed', ...parts]);
  };
  return { ...Object.fromEntries([...speaking, ...mute]), assert };
}
