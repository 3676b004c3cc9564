import { describe, expect, it } from '@jest/globals';
import { SAMPLES_MAX } from '../aggregation/limits.js';
import { ObservedStatistics, Statistics } from '../aggregation/statistics.js';
import { VainMemory } from './vain-memory.js';

describe('the memory of what is in vain', () => {
  it('keeps the highest priorities of the samples that flushes added', () => {
    const memory = new VainMemory();
    memory.learnSamples('v', '1', [0.5, 0.4]);
    memory.learnSamples('v', '1', []);
    memory.learnSamples('v', '1', [0.9, 0.8, 0.7, 0.1]);
    expect(memory.of('v')).toMatchObject({ row: '1', priorities: [0.9, 0.8, 0.7, 0.5, 0.4] });
  });

  it('believes what is stored more than what it added, because samples may have been purged', () => {
    const memory = new VainMemory();
    memory.learnSamples('v', '1', [0.9, 0.8, 0.7, 0.6, 0.5]);
    memory.learn('v', { row: '1', priorities: [0.3], paths: new Set(['id']) });
    memory.learnSamples('v', '1', [0.2]);
    expect(memory.of('v')).toEqual({ row: '1', priorities: [0.3, 0.2], paths: new Set(['id']) });
  });

  it('starts anew for another row of the version, and knows nothing of a forgotten one', () => {
    const memory = new VainMemory();
    memory.learn('v', { row: '1', priorities: [0.9], paths: new Set(['id']) });
    memory.learnSamples('v', '2', [0.1]);
    expect(memory.of('v')).toEqual({ row: '2', priorities: [0.1], paths: new Set() });
    memory.forget('v');
    expect(memory.of('v')).toBeUndefined();
  });

  it('is bounded in bytes, and drops what it learnt first', () => {
    const memory = new VainMemory();
    const paths = new Set(Array.from({ length: 250 }, (_, at) => `key ${at}`));
    for (let n = 0; n < 10_000; n += 1) memory.learn(`v${n}`, { row: String(n), priorities: [], paths });
    const known = Array.from({ length: 10_000 }, (_, n) => memory.of(`v${n}`)).filter(Boolean);
    expect(known.length).toBeLessThan(1_000);
    expect(memory.of('v9999')).toBeDefined();
    expect(memory.of('v0')).toBeUndefined();
  });
});

it('flushes that know earlier samples store the sample that flushes without memory would store', () => {
  const memory = new VainMemory();
  const stored = Statistics.none('version');
  let sampled = 0;
  for (let flush = 0; flush < 50; flush += 1) {
    const observed = new ObservedStatistics(memory.of('v'));
    const floor = observed.vain?.priorities[SAMPLES_MAX - 1] ?? 0;
    for (let n = 0; n < 20; n += 1) observed.observe({ flush, n }, noLeaves);
    const encoded = Statistics.decode('version', observed.encode());
    sampled += encoded.samples.list().length;
    for (const priority of observed.priorities) expect(priority).toBeGreaterThan(floor);
    stored.merge(encoded);
    memory.learnSamples('v', '1', observed.priorities);
    expect(memory.of('v')?.priorities).toEqual(stored.samples.priorities);
  }
  expect(stored.samples.list()).toHaveLength(SAMPLES_MAX);
  expect(sampled).toBeLessThan(50 * SAMPLES_MAX);
});

const noLeaves = { length: 0, paths: [], types: [], values: [], fingerprint: '' };
