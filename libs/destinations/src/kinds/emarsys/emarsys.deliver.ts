import type { JsonObject } from '@weir/contracts';
import { sendPayload } from '../../delivery/send-payload.js';
import type { BatchRule, DeliveryResult, DestinationKind, Payload } from '../../kind.js';
import { SecretMask } from '../../masking/secret-mask.js';
import * as kit from '../../toolkit/index.js';
import { wsse } from './emarsys.wsse.js';

/** https://dev.emarsys.com, Create contacts, Add contacts to a list: 1,000 contacts per request. */
export const emarsysBatch: BatchRule = kit.batchLists(['contacts', 'external_ids'], {
  itemsMax: 1_000,
  bytesMax: 1_000_000,
  outcomes: (result, payloads) => {
    const errors = errorsOf(result);
    const sent = payloads.map(keyOf);
    const known = new Set(sent);
    const refused = Object.keys(errors);
    // Emarsys may write a key in another way than it was sent. Each payload alone then tells whose error it is.
    if (refused.length === 0 || !refused.every((key) => known.has(key))) return undefined;
    return sent.map((key) => {
      const error = kit.lookedUp(errors, key);
      return error === undefined ? { status: 200 } : { status: 400, response: error };
    });
  },
});

/** The value that identifies the contact of a payload, as a text. */
function keyOf({ body: { JSON: body } }: Payload): string {
  const contact = kit.objectAt(body, 'contacts.0');
  return String(kit.valueAt(body, 'external_ids.0') ?? contact[String(body['key_id'])]);
}

/** A 200 may list contacts that were refused, by what identifies them. */
const errorsOf = ({ response }: DeliveryResult): JsonObject => kit.objectAt(response, 'data.errors');

/**
 * Signs each request anew when it is sent, because a signature holds for five minutes. Nobody else sees one, also where the answer
 * repeats the request.
 */
export const emarsysDeliver: NonNullable<DestinationKind['deliver']> = async (payload, config, outbound, options) => {
  const { headers, parts } = wsse(
    kit.requiredText(config, 'emersysUsername'),
    kit.requiredText(config, 'emersysUserSecret'),
    new Date(),
  );
  const signed = { ...payload, headers: { ...payload.headers, ...headers } };
  const result = await sendPayload(signed, outbound, options);
  const isRefusal = result.status < 300 && Object.keys(errorsOf(result)).length > 0;
  const response = new SecretMask(parts).in(result.response);
  return { ...result, response, ...(isRefusal && { status: 400 }) };
};
