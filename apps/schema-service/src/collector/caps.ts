import { MODELS_PER_WRITE_KEY_MAX, VERSIONS_PER_MODEL_MAX } from '../aggregation/limits.js';

/** What one source may fill; for the operator to say, because it is paid in rows and in the time of reads. */
export interface Caps {
  modelsPerWriteKey: number;
  versionsPerModel: number;
}

export const CAPS = Symbol('CAPS');

export const DEFAULT_CAPS: Caps = {
  modelsPerWriteKey: MODELS_PER_WRITE_KEY_MAX,
  versionsPerModel: VERSIONS_PER_MODEL_MAX,
};
