import { describe, expect, it } from '@jest/globals';
import { type DestinationKind, destinationKind, type Twin, twinOf } from '@weir/destinations';
import { curlLine, curlLines } from './curl-lines.js';

describe('curlLine', () => {
  it('quotes for a shell', () => {
    const request = {
      method: 'POST',
      url: "https://a.example/it's?x=$(id)",
      headers: { 'x-a': '1 2' },
      body: '{"a":"b\'c"}',
    };
    expect(curlLine(request)).toBe(
      `curl -X POST 'https://a.example/it'\\''s?x=$(id)' -H 'x-a: 1 2' --data-raw '{"a":"b'\\''c"}'`,
    );
  });

  it('needs neither headers nor body, and leaves out a body that is long', () => {
    const request = { method: 'GET', url: 'https://a.example/', headers: {} };
    expect(curlLine(request)).toBe('curl -X GET https://a.example/');
    expect(curlLine({ ...request, body: 'é'.repeat(10_000) })).toBe(
      `curl -X GET https://a.example/ --data-raw '(20000 bytes, left out)'`,
    );
  });
});

it('curlLines shows what a kind would send, without its secrets', async () => {
  const kind = destinationKind('WEBHOOK') as DestinationKind;
  const config = { webhookUrl: 'https://a.example/in', headers: [{ from: 'x-key', to: 'hush-hush' }] };
  const twin = twinOf(kind, { type: 'track', note: 'my own' }, config) as Twin;
  expect(await curlLines(kind, twin)).toEqual([
    `curl -X POST https://a.example/in -H 'content-type: application/json' -H 'x-key: ***' ` +
      `--data-raw '{"type":"track","note":"my own"}'`,
  ]);
});
