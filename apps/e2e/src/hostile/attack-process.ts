import { setPriority } from 'node:os';
import type { StackAddress } from '@weir/local';
import { Attacker, type Hit } from './attacker.js';
import { CORPUS } from './corpus.js';
import { openSink } from './sink.js';

/**
 * The attacks run in a process that yields to all others. On one machine, a client that builds megabytes of bodies would
 * otherwise take the processor from its victims. That cost is not Weir's.
 */
const ATTACKER_NICE = 19;

/** Orders of the bench: first enter a stack, then run one attack after the other by name. */
export type Order = { enter: StackAddress } | { attack: string };
/** Result of an order. `hits` is empty after entering. */
export type Done = { hits: Hit[] } | { failed: string };

let attacker: Attacker | undefined;

async function obey(order: Order): Promise<Hit[]> {
  if ('enter' in order) {
    attacker = await Attacker.enter(order.enter, (await openSink()).url);
    return [];
  }
  const attack = CORPUS.find(({ name }) => name === order.attack);
  if (!attack || !attacker) throw new Error(`there is no attack ${order.attack}`);
  return attacker.attack(attack);
}

setPriority(ATTACKER_NICE);
process.on('message', (order: Order) => {
  void obey(order).then(
    (hits) => process.send?.({ hits } satisfies Done),
    (error: Error) => process.send?.({ failed: String(error.stack) } satisfies Done),
  );
});
process.on('disconnect', () => process.exit());
