import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { ASKED, type AskedTroubles } from './asked-troubles.js';
import type { OwnTroubles } from './own-troubles.js';
import type { FoundTrouble } from './trouble.js';
import type { TroubleRepository } from './trouble.repository.js';
import { TroubleWatch } from './trouble-watch.js';

const LEAD = { goOn: () => true, confirm: async () => undefined };
const OPEN: FoundTrouble = { workspaceId: 'w', kind: 'breaker_open', resourceId: 'd' };

it('a slow look notes what it saw before a later look does', async () => {
  const finds: ((found: FoundTrouble[]) => void)[] = [];
  const noted: number[] = [];
  const own = { find: () => new Promise<FoundTrouble[]>((resolve) => finds.push(resolve)) };
  const asked = { find: async () => ({ found: [], answered: [] }) };
  const troubles = {
    thresholds: async () => new Map([['w', []]]),
    note: async (_ids: string[], found: FoundTrouble[]) => noted.push(found.length),
  };
  const watch = new TroubleWatch(
    own as unknown as OwnTroubles,
    asked as unknown as AskedTroubles,
    troubles as unknown as TroubleRepository,
  );
  const looks = [watch.look(LEAD), watch.look(LEAD)];
  await turn();
  finds[1]?.([]); // nobody asks yet if the first look is still under way
  await turn();
  finds[0]?.([OPEN]);
  await turn();
  finds[1]?.([]);
  await Promise.all(looks);
  expect(noted).toEqual([1, 0]);
});

it('workspaces that no service can answer about silence no other for long', async () => {
  const answered = new Set<string>();
  const large = ['large 1', 'large 2', 'large 3'];
  const workspaceIds = ['a', ...large, 'b', 'c'];
  const asked = {
    find: async (ids: string[]) => ({
      found: [],
      answered: ids.some((id) => large.includes(id)) ? ['rollback'] : ASKED,
    }),
  };
  const troubles = {
    thresholds: async () => new Map(workspaceIds.map((id) => [id, []])),
    note: async (ids: string[], _found: FoundTrouble[], look: { answered: string[] }) => {
      if (look.answered.includes('schema_drift')) for (const id of ids) answered.add(id);
    },
  };
  const watch = new TroubleWatch(
    { find: async () => [] } as unknown as OwnTroubles,
    asked as unknown as AskedTroubles,
    troubles as unknown as TroubleRepository,
  );
  for (let look = 0; look < 3; look += 1) await watch.look(LEAD);
  expect([...answered]).toEqual(['a', 'b', 'c']);
});

it('a service that is away is not asked about each workspace', async () => {
  let questions = 0;
  const asked = {
    find: async () => {
      questions += 1;
      return { found: [], answered: [] };
    },
  };
  const troubles = {
    thresholds: async () => new Map(Array.from({ length: 10 }, (_, n) => [`w${n}`, []])),
    note: async () => undefined,
  };
  const watch = new TroubleWatch(
    { find: async () => [] } as unknown as OwnTroubles,
    asked as unknown as AskedTroubles,
    troubles as unknown as TroubleRepository,
  );
  await watch.look(LEAD);
  expect(questions).toBe(3);
});
