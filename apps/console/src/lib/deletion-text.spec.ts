import { describe, expect, it } from '@jest/globals';
import { type DeletionState, deletionText } from './deletion-text.js';

const deletion = (status: DeletionState['status'], ...each: DeletionState['status'][]) =>
  ({ status, destinations: each.map((one) => ({ status: one })) }) as DeletionState;

describe('the text of a deletion', () => {
  it('calls nothing deleted while it is not', () => {
    for (const status of ['pending', 'running', 'forwarded', 'failed', 'aborted', 'not_supported', 'canceled'] as const)
      expect(deletionText(deletion(status, status))).not.toMatch(/\bdeleted\b/);
    expect(deletionText(deletion('not_supported', 'not_supported', 'complete'))).toBe(
      'deletion requested, but no destination supports it',
    );
  });

  it('says where nothing was deleted even though the rest is complete', () => {
    expect(deletionText(deletion('complete', 'complete', 'complete'))).toBe('deleted');
    expect(deletionText(deletion('complete', 'complete', 'not_supported', 'not_supported'))).toBe(
      'deleted, except at 2 destinations that do not support it',
    );
  });
});
