import { describe, expect, it } from '@jest/globals';
import { BATCH_WAIT_MS_MAX, isAppError, type JsonObject } from '@weir/contracts';
import { checkPatterns, PATTERNS_KEYWORD, type PatternPath } from '@weir/patterns';
import { sampleEvents } from '@weir/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { configOf, frozen } from '../test/kinds.fixtures.js';
import type { DestinationKind, Payload } from './kind.js';
import * as kinds from './kinds/index.js';
import { destinationDefinitions, destinationKind } from './registry.js';

// Rules for every kind, also for the next one. Secrets are in every-kind-secrets.spec.ts, the time of hostile events in
// hostile-events.spec.ts, and keys that decide a host in address-keys.spec.ts.

const EVENTS = sampleEvents();
const named = Object.values(kinds).map((kind) => [kind.definition.name, kind] as const);
const withEvents = named.filter(([, { takesNoEvents }]) => takesNoEvents !== true);
const withDeletion = named.filter(([, { deletion }]) => deletion !== undefined);

/** The payloads of an event, or the reason why the kind refuses it. Any other error fails the test. */
function outcomeOf(kind: DestinationKind, event: JsonObject, config = configOf(kind)): Payload[] | string {
  try {
    return kind.transform(event, config);
  } catch (error) {
    if (!isAppError(error)) throw error;
    expect(error.code).toBe('invalid');
    return error.message;
  }
}

describe('the kinds', () => {
  it('have names of their own, in capitals', () => {
    const names = named.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name))).toEqual([]);
    expect(new Set(named.map(([, { definition }]) => definition.displayName)).size).toBe(names.length);
  });

  it('are all found by name', () => {
    expect(destinationDefinitions().map(({ name }) => name)).toEqual(named.map(([name]) => name).sort());
    for (const [name] of named) expect(destinationKind(name)?.definition.name).toBe(name);
  });
});

/** Switches of Iterable that are on by default. Null leaves them out of its requests. */
const NULL_IS_OFF = ['preferUserId', 'mergeNestedObjects'];

describe('the configuration', () => {
  const ajv = () => {
    const compiler = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
    return compiler.addKeyword({ keyword: PATTERNS_KEYWORD, type: 'object' });
  };

  it.each(named)('of %s accepts the example, with secrets and with unknown keys', (_, kind) => {
    const accepts = ajv().compile(kind.definition.configSchema);
    const problemsOf = (config: JsonObject) => (accepts(config) ? [] : accepts.errors);
    const config = configOf(kind);
    expect(problemsOf(config)).toEqual([]);
    expect(problemsOf({ ...config, anotherKey: { of: ['the', 'customer'] } })).toEqual([]);
    checkPatterns(config, (kind.definition.configSchema[PATTERNS_KEYWORD] ?? []) as PatternPath[]);
  });

  it.each(named)('of %s requires its required keys', (_, kind) => {
    const { required = [] } = kind.definition.configSchema as { required?: string[] };
    const accepts = ajv().compile(kind.definition.configSchema);
    expect(required.filter((key) => accepts({ ...configOf(kind), [key]: undefined }))).toEqual([]);
  });

  it.each(named)('of %s may be null at every key that is not required, as if the key were absent', (_, kind) => {
    const { required = [], properties = {} } = kind.definition.configSchema as Partial<Record<string, object>>;
    const accepts = ajv().compile(kind.definition.configSchema);
    const optional = Object.keys(properties).filter((key) => !Object.values(required).includes(key));
    expect(optional.filter((key) => !accepts({ ...configOf(kind), [key]: null }))).toEqual([]);
    const made = (key: string, value: null | undefined) =>
      EVENTS.map((event) => outcomeOf(kind, event, { ...configOf(kind), [key]: value }));
    for (const key of optional.filter((one) => !NULL_IS_OFF.includes(one)))
      expect([key, made(key, null)]).toEqual([key, made(key, undefined)]);
  });

  it.each([
    ['AM', 'residencyServer', 'US'],
    ['CUSTOMERIO', 'datacenter', 'eu'],
    ['ITERABLE', 'dataCenter', 'US'],
    ['MP', 'dataResidency', 'EU'],
    ['MP', 'identityMergeApi', 'none'],
    ['SNAPCHAT_CONVERSION', 'apiVersion', 'v3'],
    ['TIKTOK_ADS', 'version', '1.0'],
    ['AF', 'authVersion', 'v3'],
    ['INTERCOM', 'apiVersion', 'v3'],
    ['INTERCOM', 'apiServer', 'us'],
    ['HS', 'apiVersion', 'v3'],
    ['HTTP', 'auth', 'other'],
    ['WEBHOOK', 'webhookMethod', ''],
  ])('of %s takes any other word in %s for none, such as %j', (name, key, word) => {
    const kind = destinationKind(name) as DestinationKind;
    const config = { ...configOf(kind), [key]: word };
    expect(ajv().validate(kind.definition.configSchema, config)).toBe(true);
    const outcomes = EVENTS.map((event) => outcomeOf(kind, event, config));
    expect(outcomes).toEqual(EVENTS.map((event) => outcomeOf(kind, event, { ...config, [key]: undefined })));
  });

  it.each<[string, JsonObject]>([
    ['WEBHOOK', { webhookMethod: '', headers: [{ from: 'x-a' }, { from: 'x-b', to: 7 }, { from: null, to: null }] }],
    ['HTTP', { method: 'HEAD', format: 'TEXT' }],
    ['SLACK', { eventChannelSettings: [{ eventName: null, eventRegex: null, eventChannelWebhook: null }] }],
  ])('of %s accepts %j', (name, more) => {
    const kind = destinationKind(name) as DestinationKind;
    expect(ajv().validate(kind.definition.configSchema, { ...configOf(kind), ...more })).toBe(true);
  });

  it.each(named)('of %s describes every key that is a secret or an address', (_, { definition }) => {
    const { secretKeys, addressKeys } = definition.config;
    const described = Object.keys((definition.configSchema['properties'] ?? {}) as JsonObject);
    const unknown = [...secretKeys, ...addressKeys].filter((path) => !described.includes(path.split('.')[0] ?? ''));
    expect(unknown).toEqual([]);
  });
});

describe('a transform', () => {
  it.each(withEvents)('of %s makes payloads of at least one usual event', (_, kind) => {
    const outcomes = EVENTS.map((event) => outcomeOf(kind, event));
    expect(outcomes.filter((outcome) => typeof outcome !== 'string' && outcome.length > 0)).not.toEqual([]);
  });

  it.each(named)('of %s refuses or skips every event of a type that the kind does not name', (_, kind) => {
    const types = kind.definition.config.supportedMessageTypes['cloud'] ?? [];
    const taken = EVENTS.filter(({ type }) => !types.includes(String(type))).filter((event) => {
      const outcome = outcomeOf(kind, event);
      return typeof outcome !== 'string' && outcome.length > 0;
    });
    expect(taken.map(({ type }) => type)).toEqual([]);
  });

  it.each(named)('of %s changes neither the event nor the configuration', (_, kind) => {
    for (const event of EVENTS) outcomeOf(kind, frozen(structuredClone(event)), frozen(configOf(kind)));
  });

  it.each(named)('of %s gives the same result each time', (_, kind) => {
    for (const event of EVENTS) expect(outcomeOf(kind, event)).toEqual(outcomeOf(kind, structuredClone(event)));
  });

  it.each(named)('of %s refuses in words when the configuration is empty or odd', (_, kind) => {
    const keys = Object.keys((kind.definition.configSchema['properties'] ?? {}) as JsonObject);
    const odd = [null, 0, '', [], {}, [null], ['a'], { a: 1 }].map((value) =>
      Object.fromEntries(keys.map((key) => [key, value])),
    );
    for (const config of [{}, ...odd]) for (const event of EVENTS) outcomeOf(kind, event, config);
  });
});

describe('a batch', () => {
  const batching = withEvents.flatMap(([name, kind]) => {
    const rule = kind.batch?.(configOf(kind));
    return rule ? [[name, kind, rule] as const] : [];
  });

  it.each(batching)('of %s has limits, and keeps every item in order', (_, kind, rule) => {
    expect([rule.itemsMax > 1, rule.bytesMax > 1_000]).toEqual([true, true]);
    const payloads = EVENTS.map((event) => outcomeOf(kind, event)).flatMap((made) => (Array.isArray(made) ? made : []));
    const together = payloads.filter((payload) => rule.keyOf(payload) !== undefined);
    expect(together).not.toEqual([]);
    for (const payload of together) {
      const { endpoint, method, headers } = rule.combine([payload, payload]);
      expect(rule.combine([payload])).toMatchObject({ endpoint, method, headers });
      expect(rule.sizeOf?.(payload) ?? 1).toBeGreaterThan(0);
    }
  });

  it('never waits longer for payloads than a deletion waits for them', () => {
    const waits = named.map(([, kind]) => kind.batching?.waitMs ?? 0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(BATCH_WAIT_MS_MAX);
    expect(named.filter(([, kind]) => kind.batching && !kind.open)).toEqual([]);
  });
});

describe('a deletion', () => {
  it.each(withDeletion)('at %s takes a whole number of users, and names what it knows them by', (_, { deletion }) => {
    expect(Number.isInteger(deletion?.usersMax ?? 1) && (deletion?.usersMax ?? 1) > 0).toBe(true);
    const identifiers = deletion?.identifiers ?? ['userId'];
    expect(new Set(identifiers).size).toBe(identifiers.length);
    expect(identifiers.length).toBeGreaterThan(0);
  });
});
