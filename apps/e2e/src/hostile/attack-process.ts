import { setPriority } from 'node:os';
import type { StackAddress } from '@weir/local';
import { Attacker, type Hit } from './attacker.js';
import { CORPUS } from './corpus.js';
import { openSink } from './sink.js';

/**
 * The attacks run in a process of their own, which yields to everything else: on one machine a client that builds bodies of
 * megabytes would take the processor from those whom it attacks, and none of that is Weir's doing.
 */
const ATTACKER_NICE = 19;

/** What the bench asks for: to enter a stack, then one attack after the other by its name. */
export type Order = { enter: StackAddress } | { attack: string };
/** `hits`: of an attack; none once it has entered. */
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
