import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forward } from './proxy.js';

/**
 * Fates of the request at which a client is killed: it never arrives, the server does it at once, or the server does it
 * right before the first change of the next client.
 */
export const FATES = ['lost', 'done', 'late'] as const;
export type Fate = (typeof FATES)[number];

export interface CuttingProxy {
  readonly url: string;
  /** Methods of the requests so far, in the order in which they came. */
  readonly methods: readonly string[];
  /** Kills the client at its request of this number, counted from 0 and from now on. */
  cut(client: () => ChildProcess | undefined, at: number, fate: Fate): void;
  /** Resolves once the server has answered all that has passed. */
  settled(): Promise<unknown>;
  close(): Promise<unknown>;
}

/** A proxy before the gateway at `target`, which kills a client within one of its requests. */
export async function cuttingProxy(target: string): Promise<CuttingProxy> {
  let [methods, passed]: [string[], Promise<unknown>[]] = [[], []];
  let cut: { client: () => ChildProcess | undefined; at: number; fate: Fate } | undefined;
  let held: { release: () => void; done: Promise<unknown> } | undefined;
  const server = createServer((request, response) => {
    const number = methods.push(request.method ?? '') - 1;
    const isCut = cut?.at === number;
    const pass = (turn: Promise<unknown>) => {
      const done = forward(target, request, response, isCut ? 'lose' : 'pass', turn).catch(() => response.destroy());
      passed.push(done);
      return done;
    };
    if (isCut) {
      const turn = Promise.withResolvers<void>();
      request.once('end', () => {
        cut?.client()?.kill('SIGKILL');
        if (cut?.fate === 'done') turn.resolve();
      });
      if (cut?.fate === 'lost') request.resume();
      else if (cut?.fate === 'done') void pass(turn.promise);
      else held = { release: turn.resolve, done: pass(turn.promise) };
      return;
    }
    if (request.method !== 'GET') held?.release();
    void pass(request.method === 'GET' ? Promise.resolve() : (held?.done ?? Promise.resolve()));
  });
  server.keepAliveTimeout = 0; // the gateway keeps idle connections for longer than Node's default, and tells clients so
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get methods() {
      return methods;
    },
    cut: (client, at, fate) => {
      [methods, passed, cut, held] = [[], [], { client, at, fate }, undefined];
    },
    settled: () => {
      cut = undefined;
      return Promise.all(passed);
    },
    close: () => {
      held?.release();
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
