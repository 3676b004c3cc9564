import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '@weir/local';
import { Attacker, type Hit } from '../src/hostile/attacker.js';
import { CORPUS } from '../src/hostile/corpus.js';
import { openSink } from '../src/hostile/sink.js';
import { StallReader } from '../src/hostile/stalls.js';
import { Victim } from '../src/hostile/victim.js';

/** One attack of each class, and those that once stalled a whole process. `npm run bench -- hostile` runs and times all. */
const PLAYED = [
  'event: half a MiB of small objects',
  'event: half a MiB of escapes',
  'event: forty thousand keys',
  'event: as deep as is taken',
  'event: deeper than is taken',
  'event: dotted keys',
  'event: a NUL and halves of surrogates',
  'event: an address of dots',
  'event: a name for patterns',
  'event: a name of 500 KB',
  'event: numbers beyond 2^53',
  'event: own keys of the language',
  'body: four MB of open brackets',
  'body: bytes that are no text',
  'body: a packed one that grows',
  'expect: each item with each',
  'expect: a text that is hard to search',
  'test: half a MiB of keys',
  'test: an address of dots',
  'test: a name for patterns',
  'test: templates with open braces',
  'destination: a pattern that goes back',
  'transformation: 250 KB of brackets',
  'code: a loop',
];
const STEP_MS = 60_000;
/** Valid names for `during`: parts of Weir, and never customer data. */
const NAME_OF_WORK = /^[a-z][a-zA-Z0-9.:*$_-]{0,60}$/;

const stack = useStack({ opsPorts: true });
let sink: Awaited<ReturnType<typeof openSink>>;
beforeAll(async () => {
  sink = await openSink();
});
afterAll(() => sink.close());

describe('a workspace beside one that attacks', () => {
  it(
    'gets the answers it should, while every attack gets one that is no fault of ours',
    async () => {
      const { address } = stack();
      const victim = await Victim.enter(address, sink.url, sink.listen);
      const attacker = await Attacker.enter(address, sink.url);
      const stalls = new StallReader(address);
      victim.start();
      const faults: (Hit & { attack: string })[] = [];
      const attacks = CORPUS.filter(({ name }) => PLAYED.includes(name));
      expect(attacks.map(({ name }) => name).sort()).toEqual(PLAYED.toSorted());
      for (const attack of attacks) {
        const hits = await attacker.attack(attack);
        expect([attack.name, hits.length > 0]).toEqual([attack.name, true]);
        faults.push(...hits.filter(({ status }) => status >= 500).map((hit) => ({ ...hit, attack: attack.name })));
      }
      await victim.stop();
      expect(faults).toEqual([]);
      expect(victim.failures).toEqual([]);
      const taken = victim.takeOut();
      expect([taken.intake.length > 0, taken.delivery.length >= taken.intake.length, taken.test.length > 0]).toEqual([
        true,
        true,
        true,
      ]);
      for (const { work } of await stalls.read()) expect(work).toMatch(NAME_OF_WORK);
    },
    STEP_MS,
  );
});
