import type { JsonObject, StageResults } from '@weir/contracts';
import { type DestinationKind, type Payload, type SecretMask, shownPayloads, twinOf } from '@weir/destinations';
import { during, ownTurn } from '@weir/messaging';
import type { CodeSecrets } from '../code/code-secrets.js';
import { curlLines } from './curl-lines.js';

/** One element of `data`, as admins see it and as everybody else does. */
export interface Views {
  clear: StageResults;
  /** Without secrets. Payloads are masked by place, and answers of destinations by text (ruling 21). */
  shown: StageResults;
}

export interface Tested {
  kind: DestinationKind;
  config: JsonObject;
  /** Masks the secrets of all configurations involved. */
  mask: SecretMask;
  /** Secrets that user code may have put into the event. */
  codeSecrets: CodeSecrets;
  /** The event as the caller sent it. */
  sent: JsonObject;
  /** The event that became the payloads, if any. */
  event: JsonObject | undefined;
  /** Index of the message. Set when details are requested. */
  message?: number | undefined;
}

/** Builds both views. Yields between its steps, because a test may have many results. */
export async function viewsOf(result: StageResults, tested: Tested): Promise<Views> {
  const { kind, config, mask, codeSecrets, sent, event, message } = tested;
  await ownTurn(sent);
  const made = result.dest_transformed_payload;
  const payloads = Array.isArray(made) ? (made as Payload[]) : undefined;
  const twinOfEvent = (one: JsonObject) => twinOf(kind, codeSecrets.inEvent(one, sent), config);
  const twin = event && payloads ? during('test.twin', () => twinOfEvent(event)) : undefined;
  await ownTurn(sent);
  const requests = twin && message !== undefined ? await curlLines(kind, twin) : [];
  const details = message === undefined ? {} : { details: { message, requests } };
  await ownTurn(sent);
  return during('test.show', () => ({
    clear: { ...result, ...details },
    shown: {
      ...result,
      ...('user_transformed_payload' in result && {
        user_transformed_payload: codeSecrets.inEvent(result.user_transformed_payload, sent),
      }),
      ...('dest_transformed_payload' in result && {
        dest_transformed_payload: payloads ? shownPayloads(payloads, twin) : codeSecrets.in(made),
      }),
      ...('destination_response' in result && {
        destination_response: codeSecrets.in(mask.in(result.destination_response)),
      }),
      ...details,
    },
  }));
}
