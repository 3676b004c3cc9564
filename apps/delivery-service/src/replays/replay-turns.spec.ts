import { expect, it } from '@jest/globals';
import { ReplayTurns } from './replay-turns.js';

const of = (workspaceId: string, destinationId: string) => ({ workspaceId, destinationId });
const taken = (turns: ReplayTurns, count: number) =>
  Array.from({ length: count }, () => turns.next()?.destinationId ?? 'none');

it('workspaces take turns, however many destinations one has', () => {
  const turns = new ReplayTurns();
  for (const id of ['a1', 'a2', 'a3']) turns.add(of('a', id));
  turns.add(of('b', 'b1'));
  expect(taken(turns, 5)).toEqual(['a1', 'b1', 'a2', 'a3', 'none']);
});

it('a destination that has more to send waits behind the others of its workspace', () => {
  const turns = new ReplayTurns();
  for (const id of ['a1', 'a2']) turns.add(of('a', id));
  turns.add(of('a', 'a1'));
  expect(turns.next()).toEqual(of('a', 'a1'));
  turns.add(of('a', 'a1'));
  turns.add(of('b', 'b1'));
  expect(taken(turns, 4)).toEqual(['a2', 'b1', 'a1', 'none']);
});
