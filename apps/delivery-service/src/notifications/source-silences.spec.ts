import { describe, expect, it } from '@jest/globals';
import { afterLook, isSilent, type SourceSilence } from './source-silences.js';

const at = (text: string) => new Date(`2026-01-${text}Z`);
const source: SourceSilence = {
  ...{ sourceId: 's', workspaceId: 'w', watchedSince: at('01T00:00:00'), lastSeen: at('09T08:00:00') },
  longest: { '2026-01-08': 36_000 },
};

describe('the silence of a source', () => {
  it.each([
    ['an hour', '09T09:00:00', false],
    ['as long as its nights', '09T18:00:00', false],
    ['half as long again as its nights', '09T23:00:01', true],
  ])('of %s', (_what, now, silent) => {
    expect(isSilent(source, at(now))).toBe(silent);
  });

  it('of a source that never pauses counts after an hour', () => {
    expect(isSilent({ ...source, longest: {} }, at('09T09:00:01'))).toBe(true);
  });

  it('is nothing while the source is new', () => {
    expect(isSilent({ ...source, watchedSince: at('07T00:00:00') }, at('09T23:30:00'))).toBe(false);
  });

  it('becomes usual once it ends, for two weeks', () => {
    const back = afterLook(source, at('10T08:00:00'), at('10T08:00:10'));
    expect(back).toMatchObject({ lastSeen: at('10T08:00:00'), longest: { '2026-01-10': 86_400 } });
    expect(isSilent(back, at('11T12:00:00'))).toBe(false);
    const later = afterLook(back, at('31T08:00:00'), at('31T08:00:00'));
    expect(Object.keys(later.longest)).toEqual(['2026-01-31']);
  });

  it('does not change without a new event', () => {
    expect(afterLook(source, source.lastSeen, at('10T00:00:00'))).toBe(source);
  });
});
