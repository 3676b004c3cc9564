import { expect, it } from '@jest/globals';
import type { Json } from '../project/json.js';
import { reportPage } from './html.js';
import { type Made, recordedAnswers } from './incumbent.js';
import { Comparison, secretTexts } from './verdict.js';

const DESTINATION = { id: 'd', name: 'hook', type: 'WEBHOOK', config: {} };
const sample = (messageId: string) => ({ messageId, event: {} });
const request = (body: Json, more: object = {}): Made => ({
  payloads: [{ version: '1', method: 'POST', endpoint: 'https://a.example', headers: {}, body, ...more }],
});

it('groups what differs by field, with one example, and leaves bookkeeping out', () => {
  const comparison = new Comparison(DESTINATION, ['clear-text-secret']);
  comparison.add(
    sample('m1'),
    request({ JSON: { a: 1 } }),
    request({ JSON: { a: 1 } }, { userId: 'u', statusCode: 200 }),
  );
  comparison.add(sample('m2'), request({ JSON: { items: [1, 2] } }), request({ JSON: { items: [3, 4] } }));
  comparison.add(
    sample('m3'),
    request({ JSON: { items: [1] } }),
    request({ JSON: { items: ['my clear-text-secret'] } }),
  );
  comparison.add(sample('m4'), { error: 'no email' }, { error: 'Email is needed' });
  comparison.add(sample('m5'), { error: 'no email' }, request({}));
  comparison.add(sample('m6'), request({}), undefined);
  comparison.add(
    sample('m7'),
    request({}, { headers: { authorization: 'Basic a' } }),
    request({}, { headers: { authorization: 'Basic b' } }),
  );
  expect(comparison.verdict(undefined)).toEqual({
    ...{ destination: 'hook', type: 'WEBHOOK', equal: 2, different: 4, missing: 1 },
    fields: [
      { path: '*.body.JSON.items.*', events: 2, example: { messageId: 'm2', theirs: '3', ours: '1' } },
      { path: '(outcome)', events: 1, example: { messageId: 'm5', theirs: '1 requests', ours: 'refused: no email' } },
      { path: '*.headers.authorization', events: 1, example: { messageId: 'm7', theirs: '***', ours: '***' } },
    ],
  });
});

it('a secret of the settings is hidden in examples', () => {
  const config = {
    apiKey: 'clear-text-secret',
    headers: [{ from: 'a', to: 'other-secret' }],
    url: 'https://a.example',
    pin: '1',
  };
  const secrets = secretTexts(config, ['apiKey', 'headers.to', 'pin']);
  expect(secrets).toEqual(['clear-text-secret', 'other-secret']);
  const comparison = new Comparison(DESTINATION, secrets);
  comparison.add(sample('m1'), request({ key: 'x' }), request({ key: 'clear-text-secret!' }));
  expect(comparison.verdict(undefined).fields[0]?.example.theirs).toBe('***!');
});

it('recorded answers are found by the message, also those with several requests', async () => {
  const answers = [
    { output: { method: 'POST' }, statusCode: 200, metadata: { messageId: 'm1' } },
    { output: { method: 'PUT' }, statusCode: 200, metadata: { messageId: 'm1' } },
    { error: 'no', statusCode: 400, metadata: { messageId: 'm2' } },
    'no answer',
  ];
  const incumbent = recordedAnswers({ hook: answers });
  const found = await incumbent.answers(DESTINATION, [], new AbortController().signal);
  expect([...found]).toEqual([
    ['m1', { payloads: [{ method: 'POST' }, { method: 'PUT' }] }],
    ['m2', { error: 'no' }],
  ]);
  expect(incumbent.problem({ ...DESTINATION, name: 'constructor' })).toContain('does not have it');
  expect(() => recordedAnswers([])).toThrow('list of answers');
});

it('the report shows hostile text as text', () => {
  const hostile = `</td><script>alert(1)</script><img src=x onerror='alert(2)'>"\u202e&`;
  const field = { path: hostile, events: 1, example: { messageId: hostile, theirs: hostile, ours: hostile } };
  const verdict = {
    destination: hostile,
    type: hostile,
    equal: 0,
    different: 1,
    missing: 0,
    problem: hostile,
    fields: [field],
  };
  const page = reportPage([verdict], { events: 1, other: hostile });
  expect(page).not.toMatch(/<script|<img|onerror='|\u202e/);
  expect(page.match(/&#60;script&#62;/g)).toHaveLength(10);
  expect(page).toContain(`default-src 'none'`);
});
