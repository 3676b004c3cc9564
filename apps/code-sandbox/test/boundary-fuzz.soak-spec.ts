import { randomUUID } from 'node:crypto';
import { it } from '@jest/globals';
import { CANARY_NAME } from './corpus/attack.js';
import { useBoundaryFuzz } from './fuzz/fuzz.js';

/** Another seed makes other programs: WEIR_TEST_SEED=7 npm run -s jest -- boundary-fuzz --selectProjects soak */
const SEED = Number(process.env['WEIR_TEST_SEED'] ?? Date.now() % 1_000_000);
/** `WEIR_TEST_FULL=1` searches as many programs as a new V8 should meet. */
const PROGRAMS = process.env['WEIR_TEST_FULL'] === '1' ? 5_000 : 500;

const canary = randomUUID();
process.env[CANARY_NAME] = canary;
const fuzz = useBoundaryFuzz(canary);

it(`no generated program breaks a promise of the sandbox: seed ${SEED}`, () => fuzz(SEED, PROGRAMS), 7_200_000);
