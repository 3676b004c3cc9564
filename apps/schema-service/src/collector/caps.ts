import { MODELS_PER_WRITE_KEY_MAX, VERSIONS_PER_MODEL_MAX } from '../aggregation/limits.js';

/** Limits per source. Operators choose them, because higher limits cost rows and read time. */
export interface Caps {
  modelsPerWriteKey: number;
  versionsPerModel: number;
}

export const CAPS = Symbol('CAPS');

export const DEFAULT_CAPS: Caps = {
  modelsPerWriteKey: MODELS_PER_WRITE_KEY_MAX,
  versionsPerModel: VERSIONS_PER_MODEL_MAX,
};
