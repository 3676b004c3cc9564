import { Logger } from '@nestjs/common';

/** Keeps the lines of Nest's logger from now on, instead of printing them. */
export function heardLog(): string[] {
  const lines: string[] = [];
  const hear = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '));
  Logger.overrideLogger({ log: hear, warn: hear, error: hear, debug: hear, verbose: hear, fatal: hear });
  return lines;
}
