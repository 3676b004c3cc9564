import { describe, expect, it } from '@jest/globals';
import { CodeSecrets } from './code-secrets.js';

const SECRET = 'topsecretvalue123';
const secrets = new CodeSecrets([SECRET, 'abc']);

describe('secrets that code reads', () => {
  it('are hidden in an event in whatever form, in keys as well', () => {
    const event = {
      header: { authorization: `Basic ${btoa(`me:${SECRET}`)}` },
      list: [`x ${SECRET}`],
      [SECRET]: 1,
      n: 2,
    };
    expect(secrets.inEvent(event, {})).toEqual({
      ...{ header: { authorization: 'Basic ***' }, list: ['x ***'], '***': 1, n: 2 },
    });
  });

  it('are left where the caller wrote them, so that nobody learns whether a guess was right', () => {
    const sent = { guess: SECRET, list: [{ guess: SECRET }], key: 'other' };
    const event = { ...sent, key: SECRET, more: SECRET };
    expect(secrets.inEvent(event, sent)).toEqual({ ...sent, key: '***', more: '***' });
  });

  it('tell nothing by the beginning of one at the end of a long text', () => {
    const text = `${'.'.repeat(20_000)}topsecret`;
    expect(secrets.in(text)).toBe(text);
  });

  it('are not what stands in ordinary words', () => {
    expect(secrets.in('abc')).toBe('abc');
    const event = { a: SECRET };
    expect(new CodeSecrets([]).inEvent(event, {})).toBe(event);
  });
});
