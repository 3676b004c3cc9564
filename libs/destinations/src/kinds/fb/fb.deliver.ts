import { sendPayload } from '../../delivery/send-payload.js';
import { withFacebookStatus } from '../../facebook/status.js';
import type { DestinationKind } from '../../kind.js';

/** https://developers.facebook.com/docs/graph-api/reference/application/activities/ */
export const HOST = 'https://graph.facebook.com/v25.0';

/** The header of a payload with the address of the device. */
export const FORWARDED = 'x-forwarded-for';

/** Only Facebook gets the address of the device. The client refuses the header, because private servers may trust it. */
export const fbDeliver: NonNullable<DestinationKind['deliver']> = async (payload, _config, outbound, options) => {
  const { [FORWARDED]: forwardedFor, ...headers } = payload.headers;
  const isTold = forwardedFor !== undefined && payload.endpoint.startsWith(`${HOST}/`);
  const sending = { ...options, ...(isTold && { forwardedFor }) };
  return withFacebookStatus(await sendPayload({ ...payload, headers }, outbound, sending));
};
