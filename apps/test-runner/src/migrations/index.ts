import { CreateDeliveries1764000000001 } from './0001-create-deliveries.js';
import { CreateUsedVersions1764000000002 } from './0002-create-used-versions.js';
import { CreateTestRuns1764000000003 } from './0003-create-test-runs.js';

/** In order; one that was released is never changed. */
export const migrations = [CreateDeliveries1764000000001, CreateUsedVersions1764000000002, CreateTestRuns1764000000003];
