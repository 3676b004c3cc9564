import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '@weir/local';
import { Attacker, type Hit } from '../src/hostile/attacker.js';
import { CORPUS } from '../src/hostile/corpus.js';
import { openSink } from '../src/hostile/sink.js';
import { StallReader } from '../src/hostile/stalls.js';
import { Victim } from '../src/hostile/victim.js';

/** Its sender gives up. Every other request has to get an answer. */
const GIVEN_UP = 'body: nine that never end';
const STEP_MS = 900_000;
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
      for (const attack of CORPUS) {
        const hits = await attacker.attack(attack);
        expect([attack.name, hits.length > 0]).toEqual([attack.name, true]);
        const isFault = ({ status }: Hit) => status >= 500 || (status === 0 && attack.name !== GIVEN_UP);
        faults.push(...hits.filter(isFault).map((hit) => ({ ...hit, attack: attack.name })));
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
