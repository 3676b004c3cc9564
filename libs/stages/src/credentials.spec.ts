import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { credentialAad } from '@weir/contracts';
import type { RpcClient } from '@weir/messaging';
import { Sealer } from '@weir/service-kit';
import { CodeSecrets, CredentialCache } from './credentials.js';

const sealer = new Sealer(Buffer.alloc(32, 1).toString('base64'));
const foreign = new Sealer(Buffer.alloc(32, 2).toString('base64'));
const sealed = (value: string, key: string, by = sealer) => ({
  key,
  sealedValue: by.seal({ value }, credentialAad('w', key)),
});

function scene() {
  const registry = { asked: 0, isAway: false, value: 'one' };
  const send = async () => {
    registry.asked += 1;
    if (registry.isAway) throw new Error('away');
    return { credentials: [sealed(registry.value, 'a'), sealed('lost', 'b', foreign)] };
  };
  return { registry, cache: new CredentialCache({ send } as unknown as RpcClient, sealer) };
}

describe('credentials', () => {
  Logger.overrideLogger(false);
  const now = jest.spyOn(Date, 'now');
  const at = (ms: number) => now.mockReturnValue(ms);
  afterEach(() => void now.mockReset());

  it('are asked for once a second, however many ask, and opened where they can be', async () => {
    const { registry, cache } = scene();
    at(0);
    const both = await Promise.all([cache.of('w'), cache.of('w')]);
    expect(both).toEqual(Array(2).fill([{ key: 'a', value: 'one' }]));
    at(999);
    await cache.of('w');
    expect(registry.asked).toBe(1);
    registry.value = 'two';
    at(1_000);
    expect(await cache.of('w')).toEqual([{ key: 'a', value: 'two' }]);
  });

  it('stay the last known while nobody answers, and are an error when none are known', async () => {
    const { registry, cache } = scene();
    registry.isAway = true;
    at(0);
    await expect(cache.of('w')).rejects.toThrow('away');
    registry.isAway = false;
    expect(await cache.of('w')).toEqual([{ key: 'a', value: 'one' }]);
    registry.isAway = true;
    at(5_000);
    expect(await cache.of('w')).toEqual([{ key: 'a', value: 'one' }]);
  });
});

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
