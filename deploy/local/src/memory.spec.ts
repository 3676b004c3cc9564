import { describe, expect, it } from '@jest/globals';
import { familyBytes } from './memory.js';

describe('familyBytes', () => {
  it('counts a process with its children and theirs, and no stranger', () => {
    const table = [
      { pid: 1, parent: 0, residentBytes: 1 },
      { pid: 10, parent: 1, residentBytes: 100 },
      { pid: 11, parent: 10, residentBytes: 20 },
      { pid: 12, parent: 11, residentBytes: 3 },
      { pid: 20, parent: 1, residentBytes: 1_000 },
    ];
    expect(familyBytes(table, 10)).toBe(123);
    expect(familyBytes(table, 99)).toBe(0);
  });
});
