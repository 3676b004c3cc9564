import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StackAddress } from '@weir/local';
import type { Done, Order } from './attack-process.js';
import type { Hit } from './attacker.js';

const SCRIPT = fileURLToPath(new URL('./attack-process.js', import.meta.url));

/** The attacker's process, as the bench sees it. */
export class Attacks {
  private constructor(private readonly child: ChildProcess) {}

  /** Starts the process, which enters the stack with its own workspace. */
  static async begin(stack: StackAddress): Promise<Attacks> {
    const attacks = new Attacks(fork(SCRIPT));
    await attacks.order({ enter: stack });
    return attacks;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  attack(name: string): Promise<Hit[]> {
    return this.order({ attack: name });
  }

  end(): void {
    this.child.kill();
  }

  private async order(order: Order): Promise<Hit[]> {
    this.child.send(order);
    const answered = new AbortController();
    const { signal } = answered;
    const gone = once(this.child, 'exit', { signal }).then(() => ({ failed: 'the process of the attacker has ended' }));
    const told = once(this.child, 'message', { signal }).then(([done]) => done as Done);
    const done = await Promise.race([told, gone]);
    void Promise.allSettled([gone, told]);
    answered.abort();
    if ('failed' in done) throw new Error(done.failed);
    return done.hits;
  }
}
