import { withoutCredentials } from './mask.js';
import { shownValue } from './outcomes.js';
import { sliceText, stringify } from './primordials.js';
import { settings } from './settings.js';

/** JSON of the lines, joined by commas. */
let lines = '';
let charsTaken = 0;

export function addLine(label: string, parts: unknown[]): void {
  const charsLeft = settings.logChars - charsTaken;
  if (!settings.collectLogs || charsLeft <= 0) return;
  let line = label;
  for (let index = 0; index < parts.length; index += 1) line += ` ${shownValue(parts[index])}`;
  line = sliceText(withoutCredentials(line, settings.secrets), 0, charsLeft);
  charsTaken += line.length;
  lines += `${lines === '' ? '' : ','}${stringify(line)}`;
}

export function log(...parts: unknown[]): void {
  addLine('Log:', parts);
}

export const logsJson = (): string => `[${lines}]`;
