import { CreateTestRuns1764000000003 } from './0003-create-test-runs.js';
import { ClearVendorTexts1764000000009 } from './0009-clear-vendor-texts.js';

/**
 * In order of execution. Never change a released migration. The missing numbers belong to the delivery service, which once shared
 * this schema.
 */
export const migrations = [CreateTestRuns1764000000003, ClearVendorTexts1764000000009];
