import { escapes } from './escapes.js';
import { floods } from './floods.js';
import { outputFloods } from './floods-of-output.js';
import { loops } from './loops.js';
import { memory } from './memory.js';
import { pollution } from './pollution.js';
import { recursion } from './recursion.js';
import { regex } from './regex.js';
import { results } from './results.js';

export const FAMILIES = [loops, floods, recursion, memory, regex, results, pollution, escapes, outputFloods];

/** Programs that never end get a short limit. The others get time, because the machine may be busy. */
export const GROUPS = FAMILIES.flatMap(({ name, memoryMb, attacks }) => {
  const endless = attacks.filter(([, , outcome]) => outcome === 'timeout' || outcome === 'ended');
  const others = attacks.filter((attack) => !endless.includes(attack));
  return [
    { name: `${name}, without end`, memoryMb, attacks: endless, limitMs: 200, atATime: 4 },
    { name, memoryMb, attacks: others, limitMs: 20_000, atATime: 2 },
  ].filter((group) => group.attacks.length > 0);
});
