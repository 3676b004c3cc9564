import { readFileSync } from 'node:fs';
import type { ServiceProcess } from './service-process.js';

const MIB = 1_048_576;

/** The memory limit of a process in the chart (`processes.<name>.resources.limits.memory` of its values). */
export function memoryLimitOf(name: string): number {
  const values = readFileSync(new URL('../../../deploy/helm/weir/values.yaml', import.meta.url), 'utf8');
  const line = values.split('\n').find((text) => text.startsWith(`  ${name}:`)) ?? '';
  const limit = Number(/limits: \{ memory: (\d+)Mi/.exec(line)?.[1]) * MIB;
  if (!limit) throw new Error(`the chart says nothing about the memory of ${name}`);
  return limit;
}

/** Peak resident memory, as the kernel counts it. */
export const peakBytes = ({ pid }: ServiceProcess): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

/** Settles with the work, or rejects as soon as the process ends. A process without memory left dies. */
export async function whileAlive<T>(process: ServiceProcess, work: Promise<T>): Promise<T> {
  const ended = process.exited.then(({ code, signal }) => {
    throw new Error(`the process ended (code ${code}, signal ${signal}): ${process.output().slice(-2_000)}`);
  });
  return Promise.race([work, ended]);
}
