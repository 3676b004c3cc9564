import { addLine } from './log.js';

const LABELS = {
  log: 'Log:',
  info: 'Info:',
  warn: 'Warn:',
  error: 'Error:',
  debug: 'Debug:',
  trace: 'Trace:',
  dir: 'Log:',
};
/** These need a terminal, so they do nothing. */
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

/** Writes to the same lines as `log`. Only tests collect them. */
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
