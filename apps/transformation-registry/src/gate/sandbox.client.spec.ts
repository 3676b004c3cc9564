import { describe, expect, it } from '@jest/globals';
import { PublishRelease, RunCode } from '@weir/contracts';
import { Deadline } from './sandbox.client.js';

describe('a deadline', () => {
  it('ends before the caller gives up', () => {
    const left = Deadline.of(PublishRelease).leftMs();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(PublishRelease.deadlineMs);
  });

  it('refuses to go on when nothing is left', () => {
    const late = Deadline.of({ ...RunCode, deadlineMs: 100 });
    expect(() => late.leftMs()).toThrow(expect.objectContaining({ code: 'timeout' }));
  });
});
