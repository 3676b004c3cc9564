import { randomUUID } from 'node:crypto';
import { it } from '@jest/globals';
import { CANARY_NAME } from './corpus/attack.js';
import { useBoundaryFuzz } from './fuzz/fuzz.js';

/** The same programs each time. `boundary-fuzz.soak-spec.ts` looks for new ones. */
const SEED = 20;
const PROGRAMS = 300;

const canary = randomUUID();
process.env[CANARY_NAME] = canary;
const fuzz = useBoundaryFuzz(canary);

it('no generated program breaks a promise of the sandbox', () => fuzz(SEED, PROGRAMS));
