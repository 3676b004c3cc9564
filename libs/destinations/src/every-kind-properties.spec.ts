import { describe, expect, it } from '@jest/globals';
import { isAppError, type JsonObject } from '@weir/contracts';
import { sampleEvents } from '@weir/testing';
import fc from 'fast-check';
import { anyConfig, anyEvent, changed } from '../test/any-event.fixtures.js';
import { configOf, frozen } from '../test/kinds.fixtures.js';
import { brokenIn, problemsOf } from '../test/payload-problems.fixtures.js';
import type { DestinationKind } from './kind.js';
import { destinationDefinitions, destinationKind } from './registry.js';

const kinds = destinationDefinitions().map(({ name }) => [name, destinationKind(name) as DestinationKind] as const);
const EVENTS = sampleEvents();

/** The same events in each run. */
const RUNS = { seed: 20_261_122, numRuns: 300 };

/** The faults in the payloads of an event, or in the reason of its refusal. */
function problemsWith(kind: DestinationKind, event: JsonObject, config: JsonObject): string[] {
  try {
    return problemsOf(kind, kind.transform(event, config), config);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'invalid') throw error;
    return error.message === '' ? ['the refusal has no reason'] : brokenIn(error.message, 'the reason');
  }
}

describe('any event', () => {
  it.each(kinds)('gives %s a valid request, or a refusal with a reason', (_, kind) => {
    const usual = configOf(kind);
    fc.assert(
      fc.property(anyEvent(kind, usual), anyConfig(kind), ([place, changes], settings) => {
        const event = frozen(changed(EVENTS[place] ?? {}, changes));
        const config = frozen(changed(usual, settings));
        expect(problemsWith(kind, event, config)).toEqual([]);
      }),
      RUNS,
    );
  });
});
