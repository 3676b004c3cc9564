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
