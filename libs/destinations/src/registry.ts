import type { DestinationDefinition } from '@weir/contracts';
import { amplitude } from './amplitude/amplitude.kind.js';
import { appsflyer } from './appsflyer/appsflyer.kind.js';
import { braze } from './braze/braze.kind.js';
import { clevertap } from './clevertap/clevertap.kind.js';
import { custify } from './custify/custify.kind.js';
import { customerio } from './customerio/customerio.kind.js';
import { emarsys } from './emarsys/emarsys.kind.js';
import { engage } from './engage/engage.kind.js';
import { ga4 } from './ga4/ga4.kind.js';
import { intercom } from './intercom/intercom.kind.js';
import { iterable } from './iterable/iterable.kind.js';
import type { DestinationKind } from './kind.js';
import { klaviyo } from './klaviyo/klaviyo.kind.js';
import { mixpanel } from './mixpanel/mixpanel.kind.js';
import { posthog } from './posthog/posthog.kind.js';
import { redis } from './redis/redis.kind.js';
import { s3 } from './s3/s3.kind.js';
import { sendgrid } from './sendgrid/sendgrid.kind.js';
import { slack } from './slack/slack.kind.js';
import { sprig } from './sprig/sprig.kind.js';
import { webhook } from './webhook/webhook.kind.js';

/** Kinds that take events. */
const RECEIVING: readonly DestinationKind[] = [slack, webhook];
/** Kinds that only delete users, so far. */
const DELETING: readonly DestinationKind[] = [
  ...[amplitude, braze, clevertap, customerio, custify, engage, intercom, iterable, klaviyo, mixpanel, posthog, sprig],
  ...[appsflyer, emarsys, ga4, redis, s3, sendgrid],
];

/** Every kind that Weir has, by name. A new folder becomes a destination by its line here. */
const KINDS: readonly DestinationKind[] = [...RECEIVING, ...DELETING];

const byName = new Map(KINDS.map((kind) => [kind.definition.name, kind]));

/** Undefined for a kind that Weir does not have. */
export const destinationKind = (name: string): DestinationKind | undefined => byName.get(name);

/** Sorted by name. */
export const destinationDefinitions = (): DestinationDefinition[] =>
  KINDS.map(({ definition }) => definition).sort((a, b) => (a.name < b.name ? -1 : 1));
