import { describe, expect, it } from '@jest/globals';
import { eventPatterns, settingsFor } from './config.js';

const PATTERNS = eventPatterns('channels', 'templates');
const settingOf = (setting: object, name = 'Paid') => settingsFor(name, { channels: [setting] }, PATTERNS)('channels');

describe('settings by event', () => {
  it.each([
    [{ eventName: 'Paid' }, true],
    [{ eventName: 'Pa' }, false],
    [{ eventName: '^Pa' }, false],
    [{ eventName: '^Pa', eventRegex: true }, true],
    [{ eventName: '^Pa', eventRegex: 'true' }, false],
    [{ eventName: '', eventRegex: true }, false],
    [{ eventRegex: true }, false],
  ])('%j is for the event: %s', (setting, isFor) => {
    expect(settingOf(setting)).toEqual(isFor ? setting : {});
  });

  it('are the first of their list that fits, by name or by pattern', () => {
    const config = {
      channels: [
        { eventName: 'P', eventRegex: true, n: 1 },
        { eventName: 'Paid', n: 2 },
      ],
      templates: [
        { eventName: '^x', eventRegex: true, n: 3 },
        { eventName: 'Paid', n: 4 },
        { eventName: 'Paid', n: 5 },
      ],
    };
    const of = settingsFor('Paid', config, PATTERNS);
    expect([of('channels')['n'], of('templates')['n']]).toEqual([1, 4]);
  });

  it('never keep a name waiting, whatever their patterns are', () => {
    const config = {
      channels: ['^(a+)+$', '^(a|aa)+$', '(.*a){20}$'].map((eventName) => ({ eventName, eventRegex: true })),
    };
    expect(settingsFor(`${'a'.repeat(200)}!`, config, PATTERNS)('channels')).toEqual({});
  });

  it('with a pattern that cannot be matched are refused, naming it, for whatever event', () => {
    const config = { templates: [{ eventName: 'Paid' }, { eventName: '^(?!Paid)', eventRegex: true }] };
    expect(() => settingsFor('Paid', config, PATTERNS)).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message:
          'templates.1.eventName cannot have look-ahead ((?!): patterns are matched in linear time, as RE2 does it',
      }),
    );
  });
});
