import { describe, expect, it } from '@jest/globals';
import { batchArrays, batchBodies, batchLists } from './batch.js';
import { jsonArrayRequest, jsonRequest } from './request.js';

const limits = { itemsMax: 10, bytesMax: 1_000 };
const endpoint = 'https://api.example.com/events';

describe('lists in bodies', () => {
  const rule = batchLists(['events', 'attributes'], limits);
  const payload = (key: string, events: unknown[]) => jsonRequest(endpoint, { key, events });

  it('are joined in order', () => {
    const combined = rule.combine([payload('k', [1]), payload('k', [2, 3])]);
    expect(combined.body.JSON).toEqual({ key: 'k', events: [1, 2, 3] });
    expect(combined.endpoint).toBe(endpoint);
    expect(rule.sizeOf?.(payload('k', [1, 2]))).toBe(2);
  });

  it('travel together when all else is equal, and not at all without a list', () => {
    expect(rule.keyOf(payload('k', [1]))).toBe(rule.keyOf(payload('k', [2])));
    expect(rule.keyOf(payload('k', [1]))).not.toBe(rule.keyOf(payload('other', [1])));
    expect(rule.keyOf(jsonRequest(endpoint, { key: 'k' }))).toBeUndefined();
  });
});

describe('whole bodies', () => {
  it('become one list, at an address of its own where the vendor has one', () => {
    const rule = batchBodies('batch', { ...limits, endpoint: ({ endpoint: url }) => `${url}/batch` });
    const combined = rule.combine([jsonRequest(endpoint, { a: 1 }), jsonRequest(endpoint, { a: 2 })]);
    expect(combined).toMatchObject({ endpoint: `${endpoint}/batch`, body: { JSON: { batch: [{ a: 1 }, { a: 2 }] } } });
  });
});

describe('arrays', () => {
  it('are joined into one', () => {
    const rule = batchArrays(limits);
    const payloads = [jsonArrayRequest(endpoint, [{ a: 1 }]), jsonArrayRequest(endpoint, [{ a: 2 }, { a: 3 }])];
    expect(rule.combine(payloads).body.JSON_ARRAY).toEqual({ batch: '[{"a":1},{"a":2},{"a":3}]' });
    expect(payloads.map((payload) => rule.sizeOf?.(payload))).toEqual([1, 2]);
    expect(rule.keyOf(jsonRequest(endpoint, { a: 1 }))).toBeUndefined();
  });
});
