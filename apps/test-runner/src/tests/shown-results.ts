import { setImmediate } from 'node:timers/promises';
import type { JsonObject, StageResults } from '@weir/contracts';
import { type DestinationKind, type Payload, type SecretMask, shownPayloads, twinOf } from '@weir/destinations';
import { curlLines } from './curl-lines.js';

/** One element of `data`, for admins and for everybody else. */
export interface Views {
  clear: StageResults;
  /** Without secrets: what a payload is made of is decided by place, and what a destination answered by text (ruling 21). */
  shown: StageResults;
}

export interface Tested {
  kind: DestinationKind;
  config: JsonObject;
  /** Hides the secrets of all configurations that took part. */
  mask: SecretMask;
  /** The event that became the payloads, when there are any. */
  event: JsonObject | undefined;
  /** Which message it came from; set when details are asked for. */
  message?: number | undefined;
}

/** Gives way to other work first, because a test has many results. */
export async function viewsOf(result: StageResults, tested: Tested): Promise<Views> {
  await setImmediate();
  const { kind, config, mask, event, message } = tested;
  const made = result.dest_transformed_payload;
  const payloads = Array.isArray(made) ? (made as Payload[]) : undefined;
  const twin = event && payloads ? twinOf(kind, event, config) : undefined;
  const requests = twin && message !== undefined ? await curlLines(kind, twin) : [];
  const details = message === undefined ? {} : { details: { message, requests } };
  return {
    clear: { ...result, ...details },
    shown: {
      ...result,
      ...(payloads && { dest_transformed_payload: shownPayloads(payloads, twin) }),
      ...('destination_response' in result && { destination_response: mask.in(result.destination_response) }),
      ...details,
    },
  };
}
