import fc from 'fast-check';
import { actsWith, changesWith, ENDLESS } from './acts.js';
import { type Source, valuesWith } from './values.js';

/** A generated program and how it is run. */
export interface Fuzzed {
  code: string;
  isBatch: boolean;
  /** Number of events, without the control event. */
  events: number;
  allowFetch: boolean;
}

const free = valuesWith(['globalThis', 'Error', 'Promise']);
const changes = changesWith(free);
const ofEvent = valuesWith(['event', 'event', 'metadata', 'metadata(event)', '{ ...event }', 'structuredClone(event)']);
const tried = (act: string) => `try { ${act} } catch {}`;

const heads: Source = fc.array(changes.map(tried), { maxLength: 3 }).map((parts) => parts.join('\n'));
const endless = fc.oneof(
  { weight: 100, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(...ENDLESS) },
);
const bodies: Source = fc
  .tuple(fc.array(fc.oneof(actsWith(ofEvent, changes), changes.map(tried)), { maxLength: 4 }), endless)
  .map(([parts, end]) => [...parts, end].join('\n  '));
const makers = fc.constantFrom('function', 'async function', 'function*', 'async function*');

const returned: Source = fc.oneof(
  ofEvent,
  ofEvent.map((value) => `({ ...event, a: ${value} })`),
  ofEvent.map((value) => `[{ a: ${value} }, event]`),
);

/**
 * Shows the control event and its metadata as the driver gave them, also for a copy of it. They have no prototype, so nothing that the
 * program did to the language is seen in them.
 */
const ENTRY = `export function transformEvent(event, metadata) {
  if (!event.isControl) return program(event, metadata);
  const copy = { __proto__: null, ...event };
  return { __proto__: null, ...event, own: { __proto__: null, ...metadata(event) }, ofCopy: { __proto__: null, ...metadata(copy) } };
}`;

const eachPrograms: Source = fc
  .tuple(
    heads,
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom('function', 'async function') }, makers),
    bodies,
    returned,
  )
  .map(
    ([head, maker, body, result]) =>
      `${head}\n${maker} program(event, metadata) {\n  ${body}\n  return ${result};\n}\n${ENTRY}`,
  );
const lists = fc.oneof(
  { weight: 3, arbitrary: returned.map((value) => `events.map((event) => ${value})`) },
  fc.constantFrom('events', 'events.slice(1)', 'events.reverse()', '[...events, ...events]'),
  ofEvent,
);
const batchPrograms: Source = fc
  .tuple(heads, fc.constantFrom('function', 'async function'), bodies, lists)
  .map(
    ([head, maker, body, result]) =>
      `${head}\nexport ${maker} transformBatch(events, metadata) {\n  const [event] = events;\n  ${body}\n  return ${result};\n}`,
  );

/** Programs over the whole boundary: results, errors, logs, `fetch`, and a language that they change before and while they run. */
export const programs: fc.Arbitrary<Fuzzed> = fc
  .tuple(fc.boolean(), eachPrograms, batchPrograms, fc.integer({ min: 1, max: 3 }), fc.nat(3))
  .map(([allowFetch, each, batch, events, choice]) => {
    const isBatch = choice === 0;
    return { code: isBatch ? batch : each, isBatch, events, allowFetch };
  });
