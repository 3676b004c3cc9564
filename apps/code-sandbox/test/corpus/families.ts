import type { Outcome } from './attack.js';
import { batches } from './batches.js';
import { builtIns } from './built-ins.js';
import { bytes } from './bytes.js';
import { calls } from './calls.js';
import { credentials } from './credentials.js';
import { escapes } from './escapes.js';
import { exported } from './exports.js';
import { floods } from './floods.js';
import { outputFloods } from './floods-of-output.js';
import { iterators } from './iterators.js';
import { loops } from './loops.js';
import { memory } from './memory.js';
import { modules } from './modules.js';
import { patterns } from './patterns.js';
import { pollution } from './pollution.js';
import { promises } from './promises.js';
import { reach } from './reach.js';
import { recursion } from './recursion.js';
import { regex } from './regex.js';
import { results } from './results.js';
import { scopes } from './scope.js';
import { shapes } from './shapes.js';
import { speech } from './speech.js';
import { stacks } from './stacks.js';
import { thrownValues } from './thrown.js';
import { writing } from './writing.js';

export const FAMILIES = [
  ...[loops, floods, recursion, memory, regex, results, pollution, escapes, outputFloods],
  ...[shapes, writing, thrownValues, stacks, batches, promises, iterators, modules, exported, reach, scopes],
  ...[bytes, builtIns, patterns, calls, credentials, speech],
];

const isEndless = (outcome: Outcome) => outcome === 'timeout' || outcome === 'ended';

/** Programs that never end get a short limit. The others get time, because the machine may be busy. */
export const GROUPS = FAMILIES.flatMap(({ name, memoryMb, attacks }) => {
  const endless = attacks.filter(([, , outcome]) => [outcome].flat().some(isEndless));
  const others = attacks.filter((attack) => !endless.includes(attack));
  return [
    { name: `${name}, without end`, memoryMb, attacks: endless, limitMs: 200, atATime: 4 },
    { name, memoryMb, attacks: others, limitMs: 20_000, atATime: 2 },
  ].filter((group) => group.attacks.length > 0);
});
