import { describe, expect, it } from '@jest/globals';
import { isAppError, type JsonObject, type StageResults, secretValues } from '@weir/contracts';
import { type DestinationKind, destinationKind, type Payload, SecretMask, type Twin, twinOf } from '@weir/destinations';
import { CodeSecrets } from '@weir/stages';
import { curlLine, curlLines, fittedResults, viewsOf } from './shown-results.js';

const event = {
  type: 'identify',
  userId: 'ada',
  note: 'guessed: secret-9',
  traits: { email: 'ada@example.com', name: 'Ada' },
};

function tested(type: string, config: JsonObject, result: StageResults = {}, codeSecrets: string[] = []) {
  const kind = destinationKind(type) as DestinationKind;
  const mask = new SecretMask(secretValues(config, kind.definition.config.secretKeys));
  const clear = { dest_transformed_payload: kind.transform(event, config), ...result };
  return {
    clear,
    views: viewsOf(clear, {
      workspaceId: 'w',
      kind,
      config,
      mask,
      codeSecrets: new CodeSecrets(codeSecrets),
      sent: event,
      event,
      message: 0,
    }),
  };
}

const zendesk = { email: 'agent@example.com', apiToken: 'secret-9', domain: 'acme' };

describe('what a test shows', () => {
  it('is everything, to an admin', async () => {
    const { clear, views } = tested('ZENDESK', zendesk, { destination_response: ['secret-9'] });
    expect((await views).clear).toEqual({ ...clear, details: expect.anything() });
  });

  it('is no secret to anybody else, in whatever form a payload has it', async () => {
    const { clear, views } = tested('ZENDESK', zendesk);
    const [payload] = clear.dest_transformed_payload as Payload[];
    const { shown } = await views;
    expect(payload?.headers['authorization']).toBe(`Basic ${btoa('agent@example.com/token:secret-9')}`);
    expect(shown.dest_transformed_payload).toEqual([
      { ...payload, headers: { ...payload?.headers, authorization: 'Basic ***' } },
    ]);
    expect(shown.details?.requests).toEqual([expect.stringContaining(`-H 'authorization: Basic ***'`)]);
  });

  it('leaves what the caller wrote, so that nobody learns whether a guess was right', async () => {
    const { views } = tested('WEBHOOK', {
      webhookUrl: 'https://a.example/',
      headers: [{ from: 'x-key', to: 'secret-9' }],
    });
    expect((await views).shown).toMatchObject({
      dest_transformed_payload: [{ headers: { 'x-key': '***' }, body: { JSON: { note: 'guessed: secret-9' } } }],
    });
  });

  it('hides what a destination echoes, and adds no key', async () => {
    const answers = [{ got: `Basic ${btoa('agent@example.com/token:secret-9')}` }, 'also secret-9 as text'];
    const { clear, views } = tested('ZENDESK', zendesk, {
      destination_response: answers,
      destination_response_status: [200],
    });
    const { shown } = await views;
    expect(Object.keys(shown)).toEqual([...Object.keys(clear), 'details']);
    expect(shown.destination_response).toEqual([{ got: 'Basic ***' }, 'also *** as text']);
    expect(shown.destination_response_status).toEqual([200]);
  });

  it('is an error as it is', async () => {
    const kind = destinationKind('ZENDESK') as DestinationKind;
    const result = { dest_transformed_payload: { error: 'traits.email is required' } };
    const views = await viewsOf(result, {
      ...{ workspaceId: 'w', kind, config: zendesk, mask: new SecretMask([]), event: undefined },
      ...{ codeSecrets: new CodeSecrets([]), sent: event },
    });
    expect(views).toEqual({ clear: result, shown: result });
  });
});

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
    expect(curlLine({ ...request, forwardedFor: '192.0.2.7' })).toBe(
      "curl -X GET https://a.example/ -H 'x-forwarded-for: 192.0.2.7'",
    );
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

it('curlLines shows no signature', async () => {
  const kind = destinationKind('EMARSYS') as DestinationKind;
  const config = { emersysUsername: 'shop001', emersysUserSecret: 'hush-hush', defaultContactList: '70' };
  const twin = twinOf(kind, { type: 'group', traits: { email: 'ada@example.com' } }, config) as Twin;
  expect(await curlLines(kind, twin)).toEqual([
    `curl -X POST https://api.emarsys.net/api/v2/contactlist/70/add -H 'content-type: application/json' ` +
      `-H 'accept: application/json' -H 'x-wsse: ***' ` +
      `--data-raw '{"key_id":3,"external_ids":["ada@example.com"]}'`,
  ]);
});

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const element = (...answers: unknown[]) => ({
  dest_transformed_payload: [{ endpoint: 'https://example.com' }],
  destination_response: answers,
  destination_response_status: answers.map(() => 200),
});

describe('fittedResults', () => {
  it('leaves alone what fits', () => {
    const results = [element({ ok: true }, 'text')];
    expect(fittedResults(results, bytesOf(results))).toBe(results);
  });

  it.each([
    ['text', 'x'.repeat(5_000)],
    ['control characters, which JSON makes six times as long', '\u0001'.repeat(5_000)],
    ['characters of two halves', '😀'.repeat(2_000)],
    ['an object', { list: Array.from({ length: 1_000 }, (_, n) => ({ n })) }],
  ])('cuts long answers short: %s', (_, answer) => {
    const fitted = fittedResults([element(answer, 'short'), element(answer)], 2_000);
    expect(bytesOf(fitted)).toBeLessThanOrEqual(2_000);
    expect(fitted[0]?.destination_response).toEqual([expect.stringMatching(/./s), 'short']);
    expect(fitted.map(({ dest_transformed_payload: payload }) => payload)).toEqual([
      [{ endpoint: 'https://example.com' }],
      [{ endpoint: 'https://example.com' }],
    ]);
  });

  it.each([[[{ user_transformed_payload: { text: 'x'.repeat(3_000) } }]], [[element('a'.repeat(100))]]])(
    'says what to change when the payloads alone are too long',
    (results) => {
      let refusal: unknown;
      try {
        fittedResults(results, 50);
      } catch (error) {
        refusal = error;
      }
      expect(isAppError(refusal) && refusal.code).toBe('too_large');
    },
  );
});
