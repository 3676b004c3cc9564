import { collector } from './collector.js';
import { consolePage } from './console.js';
import { delivery } from './delivery.js';
import { dev } from './dev.js';
import { hostile } from './hostile.js';
import { intake } from './intake.js';
import { purge } from './purge.js';
import { reads } from './reads.js';
import { sandbox } from './sandbox.js';
import { scaleModel } from './scale-model.js';
import { skeleton } from './skeleton.js';
import { stack } from './stack.js';
import { suppression } from './suppression.js';
import { takeover } from './takeover.js';
import { traceReads } from './trace-reads.js';
import { traces } from './traces.js';
import { transforms } from './transforms.js';

/** Benchmarks print figures. None passes or fails. */
const BENCHES: Record<string, () => Promise<void>> = {
  collector,
  console: consolePage,
  delivery,
  dev,
  hostile,
  intake,
  purge,
  reads,
  sandbox,
  'scale-model': scaleModel,
  skeleton,
  stack,
  suppression,
  takeover,
  'trace-reads': traceReads,
  traces,
  transforms,
};

const name = process.argv[2] ?? '';
const bench = BENCHES[name];
if (bench) {
  await bench();
} else {
  console.log(`npm run bench -- <name>; there is: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = name === '' ? 0 : 1;
}
