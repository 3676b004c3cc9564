import { describe, expect, it } from '@jest/globals';
import { testMetadata } from '@weir/contracts';
import { until } from '@weir/testing';
import { GROUPS } from './corpus/families.js';
import { useLocalSandbox, WORKSPACE, withoutTimes } from './support/local.js';
import { ENDED, useSandbox } from './support/sandbox.js';

/** A test of a server gives its events this metadata before they reach the sandbox. */
const METADATA = [testMetadata(WORKSPACE, {})];
const BUSY = 'The sandbox is busy. Try again';
/** A child of a busy machine needs more than the usual time to say that it reached a limit. */
const KILL_GRACE_MS = 4_000;

describe.each(GROUPS)('$name', ({ attacks, memoryMb, limitMs }) => {
  const server = useSandbox({ limitMs, memoryMb });
  const local = useLocalSandbox({ limitMs, memoryMb, killGraceMs: KILL_GRACE_MS });

  it.each(attacks)('%s: a developer sees what a server replies, byte for byte', async (_name, code, outcome) => {
    // the child of the program before may still be ending
    const mine = await until('a free child', async () => {
      const reply = await local.replyTo(code, [{}]);
      return reply !== BUSY && reply;
    });
    const theirs = await server.replyTo({ code, events: [{}], metadata: METADATA, mode: 'test' });
    if (outcome === 'ended') for (const reply of [mine, theirs]) expect(JSON.parse(reply).results).toEqual([ENDED]);
    else expect(withoutPlaces(withoutTimes(mine))).toBe(withoutPlaces(withoutTimes(theirs)));
  });
});

/** Where a program was when its time ran out is chance, also on one machine. */
const withoutPlaces = (reply: string): string => reply.replaceAll(/(execution timed out\."),"frame":\{[^}]*\}/g, '$1');
