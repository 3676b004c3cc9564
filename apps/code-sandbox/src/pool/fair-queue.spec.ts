import { describe, expect, it } from '@jest/globals';
import { QUEUE_MAX, QUEUE_PER_WORKSPACE_MAX } from '../limits.js';
import { FairQueue } from './fair-queue.js';

const jobs = (...names: string[]) => names.map((name) => ({ workspaceId: name.slice(0, 1), name }));
function queueOf(...names: string[]) {
  const queue = new FairQueue<{ workspaceId: string; name: string }>();
  for (const job of jobs(...names)) queue.add(job);
  return queue;
}
/** Takes up to `places` jobs. */
function served(queue: ReturnType<typeof queueOf>, places: number, allowed = (_name: string) => true): string[] {
  const taken: string[] = [];
  queue.serve(({ name }) => {
    if (taken.length >= places || !allowed(name)) return false;
    taken.push(name);
    return true;
  });
  return taken;
}

describe('the queue', () => {
  it('serves workspaces in turn, and each in order', () => {
    expect(served(queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'b2'), 9)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('goes on where it stopped', () => {
    const queue = queueOf('a1', 'a2', 'b1', 'c1');
    expect(served(queue, 1)).toEqual(['a1']);
    expect(served(queue, 1)).toEqual(['b1']);
    queue.add({ workspaceId: 'b', name: 'b2' });
    expect(served(queue, 9)).toEqual(['c1', 'a2', 'b2']);
    expect(served(queue, 9)).toEqual([]);
  });

  it('passes over a workspace that cannot be served, which keeps its turn', () => {
    const queue = queueOf('a1', 'b1', 'b2');
    expect(served(queue, 9, (name) => !name.startsWith('a'))).toEqual(['b1', 'b2']);
    queue.add({ workspaceId: 'b', name: 'b3' });
    expect(served(queue, 9)).toEqual(['a1', 'b3']);
  });

  it('takes further jobs of a workspace with the one that it serves, and never that one twice', () => {
    const queue = queueOf('a1', 'a2', 'b1');
    const together: string[][] = [];
    queue.serve((job) => {
      const others = queue.take(job.workspaceId, () => true);
      return together.push([job, ...others].map(({ name }) => name)) > 0;
    });
    expect(together).toEqual([['a1', 'a2'], ['b1']]);
    expect([queue.waiting, queue.waits('a')]).toEqual([0, false]);
  });

  it('forgets what is removed', () => {
    const queue = queueOf('b1');
    const [job] = jobs('a1');
    if (job) queue.add(job);
    expect(queue.waits('a')).toBe(true);
    if (job) queue.remove(job);
    expect([queue.waits('a'), queue.waits('b'), queue.waits(undefined)]).toEqual([false, true, false]);
    expect(served(queue, 9)).toEqual(['b1']);
  });

  it('has a bound, and a share for each workspace', () => {
    const queue = queueOf(...Array.from({ length: QUEUE_PER_WORKSPACE_MAX }, (_, n) => `a${n}`));
    expect([queue.hasRoom('a'), queue.hasRoom('b')]).toEqual([false, true]);
    for (let n = QUEUE_PER_WORKSPACE_MAX; n < QUEUE_MAX; n += 1) queue.add({ workspaceId: 'b', name: `b${n}` });
    expect(queue.hasRoom('c')).toBe(false);
  });
});
