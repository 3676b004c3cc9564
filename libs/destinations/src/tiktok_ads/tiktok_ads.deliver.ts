import type { BatchRule, DestinationKind } from '../kind.js';
import { sendPayload } from '../send-payload.js';
import * as kit from '../toolkit/index.js';

/** Values of `code` in a response. */
const TAKEN = 0;
const TOO_MANY_REQUESTS = 40_100;
const OF_THE_SERVER = 50_000;

/** TikTok answers 200 even if it refuses. `code` holds the result. */
export const tiktokAdsDeliver: NonNullable<DestinationKind['deliver']> = async (
  payload,
  _config,
  outbound,
  options,
) => {
  const result = await sendPayload(payload, outbound, options);
  const code = kit.toInteger(kit.valueAt(result.response, 'code'));
  return result.status === 200 && code !== undefined ? { ...result, status: statusOf(code) } : result;
};

function statusOf(code: number): number {
  if (code === TAKEN) return 200;
  if (code === TOO_MANY_REQUESTS) return 429;
  return code >= OF_THE_SERVER ? 500 : 400;
}

/** Fewer than TikTok allows, as its partners do. Combines events with the same test code, or without one. */
export const tiktokAdsBatch: BatchRule = kit.batchLists(['data'], { itemsMax: 50, bytesMax: 1_000_000 });
