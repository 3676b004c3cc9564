import { CliError } from './errors.js';

/** Types of events. */
export const EVENT_TYPES = ['identify', 'track', 'page', 'screen', 'group', 'alias'] as const;

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The time of `2h` ago, or of a date. */
export function timeOf(option: string, text: string, now = Date.now()): string {
  const [, amount, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time = amount ? now - Number(amount) * (UNIT_MS[unit] ?? 0) : Date.parse(text);
  if (Number.isNaN(time))
    throw new CliError(`${option} is not a time: ${text}`, 'Write 30m, 2h, 7d or 2026-01-01T00:00:00Z.');
  return new Date(time).toISOString();
}

export function numberOf(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CliError(`${option} must be a number from 1, and is ${text}`);
  return Number(text);
}
