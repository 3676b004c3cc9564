import { describe, expect, it } from '@jest/globals';
import { isAppError, isJsonObject, type JsonObject, MASK, secretValues } from '@weir/contracts';
import { holds, sampleConfig, sampleEvents, tracer } from '@weir/testing';
import { sendPayload } from './delivery/send-payload.js';
import type { DestinationKind, Outbound, OutboundRequest, Payload } from './kind.js';
import { maskOf } from './masking/secret-mask.js';
import { shownPayloads, twinOf } from './masking/shown-payloads.js';
import { destinationDefinitions, destinationKind } from './registry.js';

/** All with the same time. */
const EVENTS = sampleEvents();
const kinds = destinationDefinitions().map(({ name }) => destinationKind(name) as DestinationKind);
const named = kinds.map((kind) => [kind.definition.name, kind] as const);
/** `one` and `two` give different secrets of equal length. */
const configOf = (kind: DestinationKind, mark: 'one' | 'two') => sampleConfig(kind, (path) => tracer(path, mark));
const secretsOf = (kind: DestinationKind) => secretValues(configOf(kind, 'one'), kind.definition.config.secretKeys);

/** The payloads of a kind for every sample event, or the reason why it refuses the event. */
const madeOf = (kind: DestinationKind, config: JsonObject) =>
  EVENTS.map((event) => {
    try {
      return { event, payloads: kind.transform(event, config) };
    } catch (error) {
      if (!isAppError(error)) throw error;
      return { event, payloads: [], refusal: error.message };
    }
  });

/** An outbound client that repeats each request in its response, as a vendor may, in several encodings. */
function echo(status = 200) {
  const requests: OutboundRequest[] = [];
  const outbound: Outbound = {
    request: async (request) => {
      requests.push(request);
      return {
        status,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(echoOf(request)),
        truncated: false,
      };
    },
    connect: () => Promise.reject(new Error('there is no network here')),
  };
  return { requests, outbound };
}

/** The request as JSON, and that text encoded for an address, a form and HTML. */
function echoOf({ method, url, headers, body = '' }: OutboundRequest): string {
  const text = JSON.stringify({ method, url, headers, body });
  const html = `<pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}</pre>`;
  const again = { query: encodeURIComponent(text), form: new URLSearchParams({ ...headers, body }).toString(), html };
  return JSON.stringify({ method, url, headers, body, errors: [{ message: text, ...again }] });
}

/** Kinds whose secrets are only for connections, deletions or a signature of `deliver`. A new kind of this sort adds itself. */
const EVENTS_WITHOUT_SECRETS = ['AM', 'EMARSYS', 'KAFKA', 'MP', 'NATS', 'POSTGRES', 'POSTHOG', 'REDIS', 'S3'];

describe('what is shown of a payload', () => {
  it.each(named)('of %s is the same whatever the secrets are', (name, kind) => {
    const [one, two] = (['one', 'two'] as const).map((mark) => {
      const config = configOf(kind, mark);
      return madeOf(kind, config).map(({ event, payloads, refusal }) => {
        return { payloads, refusal, shown: shownPayloads(payloads, twinOf(kind, event, config)) };
      });
    });
    const shownOf = (made = one) => made?.map(({ shown, refusal }) => ({ shown, refusal }));
    expect(shownOf(one)).toEqual(shownOf(two));
    for (const secret of secretsOf(kind)) expect(holds(shownOf(), secret)).toBe(false);
    const sent = one?.flatMap(({ payloads }) => payloads) ?? [];
    expect(sent.length > 0).toBe(kind.takesNoEvents !== true);
    const isSecretSent =
      JSON.stringify(one?.map(({ payloads }) => payloads)) !== JSON.stringify(two?.map(({ payloads }) => payloads));
    const sendsSecrets = secretsOf(kind).length > 0 && !EVENTS_WITHOUT_SECRETS.includes(name);
    expect({ isSecretSent }).toEqual({ isSecretSent: kind.takesNoEvents !== true && sendsSecrets });
  });

  it.each(named)('of %s is what is sent, but for the secrets', (_, kind) => {
    const config = configOf(kind, 'one');
    for (const { event, payloads } of madeOf(kind, config)) {
      const shown = shownPayloads(payloads, twinOf(kind, event, config));
      expect(differences(payloads, shown).filter((value) => !String(value).includes(MASK))).toEqual([]);
      for (const payload of [...payloads, ...shown]) expect(keysOf(payload)).toEqual(SPECIFIED);
    }
  });
});

const SPECIFIED = ['version', 'type', 'method', 'endpoint', 'headers', 'params', 'body', 'files'];
/** `userId` may be the last key (ruling 31). */
const keysOf = (payload: Payload) =>
  Object.keys(payload).filter((key, index, keys) => key !== 'userId' || index < keys.length - 1);

/** Shown values that differ from the sent ones, at any depth. */
function differences(sent: unknown, shown: unknown): unknown[] {
  if (Array.isArray(sent) && Array.isArray(shown) && sent.length === shown.length) {
    return sent.flatMap((item, index) => differences(item, shown[index]));
  }
  if (isJsonObject(sent) && isJsonObject(shown)) {
    expect(Object.keys(shown)).toEqual(Object.keys(sent));
    return Object.entries(sent).flatMap(([key, inner]) => differences(inner, shown[key]));
  }
  return Object.is(sent, shown) ? [] : [shown];
}

/** A kind hides its own signature, which is another one for each request. Its test shows it. */
const unsigned = ({ signatureHeaders = [] }: DestinationKind, request: OutboundRequest): OutboundRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !signatureHeaders.includes(name))),
});

describe('what a vendor repeats of a request', () => {
  it.each(named.filter(([, { takesNoEvents, open }]) => !takesNoEvents && !open))(
    'of %s is hidden, however it was encoded',
    async (_, kind) => {
      const answers = await Promise.all(
        (['one', 'two'] as const).map(async (mark) => {
          const config = configOf(kind, mark);
          const { requests, outbound } = echo();
          for (const { payloads } of madeOf(kind, config)) {
            for (const payload of payloads) await sent(kind, payload, config, outbound);
          }
          const texts = requests.map((request) => echoOf(unsigned(kind, request)));
          expect(texts).not.toEqual([]);
          return { texts, masked: maskOf(kind, config).in(texts.map((text) => [text, JSON.parse(text) as unknown])) };
        }),
      );
      expect(JSON.stringify(answers[0]?.masked)).toBe(JSON.stringify(answers[1]?.masked));
      for (const secret of secretsOf(kind)) expect(holds(answers[0]?.masked, secret)).toBe(false);
    },
  );
});

const sent = (kind: DestinationKind, payload: Payload, config: JsonObject, outbound: Outbound) =>
  kind.deliver ? kind.deliver(payload, config, outbound, {}) : sendPayload(payload, outbound);

describe('what is kept of a deletion', () => {
  const deleting = named.filter(([, kind]) => kind.deletion && !kind.open);

  it.each(deleting)('at %s holds no secret, whatever the vendor answers', async (_, kind) => {
    const config = {
      ...configOf(kind, 'one'),
      userDeletionApi: 'task',
      projectId: '1',
      deletionUrl: 'https://hooks.example.com/gone',
    };
    const users = [{ userId: 'ada', email: 'ada@example.com', anonymousId: 'anon-1', phone: '+12025550123' }];
    const request = { regulationId: 'r-1', destinationId: 'd-1', config, users, idempotencyKey: 'k-1' };
    for (const status of [200, 201, 202, 400, 401, 404, 429, 500]) {
      const { requests, outbound } = echo(status);
      const outcome = await kind.deletion
        ?.delete(request, outbound)
        .catch((error: Error) => ({ reason: error.message, jobReference: '' }));
      for (const secret of secretsOf(kind)) expect([outcome, holds(outcome, secret)]).toEqual([outcome, false]);
      if (outcome && 'jobReference' in outcome && outcome.jobReference) {
        const later = await kind.deletion
          ?.status?.({ config, jobReference: outcome.jobReference }, outbound)
          .catch((error: Error) => error.message);
        for (const secret of secretsOf(kind)) expect(holds(later, secret)).toBe(false);
      }
      expect(requests.length).toBeLessThan(10);
    }
  });
});
