import { type LoadResult, percentile } from './load.js';

const WIDTH = 44;

/** Prints one aligned line per figure. */
export function figure(name: string, value: number, unit: string, digits = 0): void {
  const shown = value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });
  console.log(`${name.padEnd(WIDTH)} ${shown.padStart(10)} ${unit}`);
}

export function throughput(name: string, result: LoadResult, eventsPerRequest = 1): void {
  figure(`${name}: requests`, result.requests / result.seconds, '/s');
  if (eventsPerRequest > 1) figure(`${name}: events`, (result.requests * eventsPerRequest) / result.seconds, '/s');
  latencies(name, result.latencies);
  if (result.failed > 0) figure(`${name}: not answered with 200`, result.failed, '');
}

export function latencies(name: string, ascending: number[]): void {
  figure(`${name}: p50`, percentile(ascending, 0.5), 'ms', 1);
  figure(`${name}: p99`, percentile(ascending, 0.99), 'ms', 1);
}
