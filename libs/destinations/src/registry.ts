import type { DestinationDefinition } from '@weir/contracts';
import { adjust } from './adjust/adjust.kind.js';
import { airship } from './airship/airship.kind.js';
import { amplitude } from './amplitude/amplitude.kind.js';
import { appsflyer } from './appsflyer/appsflyer.kind.js';
import { attentiveTag } from './attentive_tag/attentive_tag.kind.js';
import { bounded } from './bounded.js';
import { braze } from './braze/braze.kind.js';
import { clevertap } from './clevertap/clevertap.kind.js';
import { custify } from './custify/custify.kind.js';
import { customerio } from './customerio/customerio.kind.js';
import { discord } from './discord/discord.kind.js';
import { emarsys } from './emarsys/emarsys.kind.js';
import { engage } from './engage/engage.kind.js';
import { facebookConversions } from './facebook_conversions/facebook_conversions.kind.js';
import { ga4 } from './ga4/ga4.kind.js';
import { http } from './http/http.kind.js';
import { hubspot } from './hubspot/hubspot.kind.js';
import { intercom } from './intercom/intercom.kind.js';
import { iterable } from './iterable/iterable.kind.js';
import { kafka } from './kafka/kafka.kind.js';
import type { DestinationKind } from './kind.js';
import { klaviyo } from './klaviyo/klaviyo.kind.js';
import { mailchimp } from './mailchimp/mailchimp.kind.js';
import { mixpanel } from './mixpanel/mixpanel.kind.js';
import { moengage } from './moengage/moengage.kind.js';
import { nats } from './nats/nats.kind.js';
import { pinterestTag } from './pinterest_tag/pinterest_tag.kind.js';
import { postgres } from './postgres/postgres.kind.js';
import { posthog } from './posthog/posthog.kind.js';
import { redis } from './redis/redis.kind.js';
import { s3 } from './s3/s3.kind.js';
import { segment } from './segment/segment.kind.js';
import { sendgrid } from './sendgrid/sendgrid.kind.js';
import { slack } from './slack/slack.kind.js';
import { snapchatConversion } from './snapchat_conversion/snapchat_conversion.kind.js';
import { sprig } from './sprig/sprig.kind.js';
import { statsig } from './statsig/statsig.kind.js';
import { tiktokAds } from './tiktok_ads/tiktok_ads.kind.js';
import { vero } from './vero/vero.kind.js';
import { webhook } from './webhook/webhook.kind.js';
import { zendesk } from './zendesk/zendesk.kind.js';

/** All kinds of Weir. A new folder becomes a destination by its line here. */
const KINDS: readonly DestinationKind[] = [
  adjust,
  airship,
  amplitude,
  appsflyer,
  attentiveTag,
  braze,
  clevertap,
  custify,
  customerio,
  discord,
  emarsys,
  engage,
  facebookConversions,
  ga4,
  http,
  hubspot,
  intercom,
  iterable,
  kafka,
  klaviyo,
  mailchimp,
  mixpanel,
  moengage,
  nats,
  pinterestTag,
  postgres,
  posthog,
  redis,
  s3,
  segment,
  sendgrid,
  slack,
  snapchatConversion,
  sprig,
  statsig,
  tiktokAds,
  vero,
  webhook,
  zendesk,
];

const byName = new Map(KINDS.map((kind) => [kind.definition.name, bounded(kind)]));

/** Undefined for an unknown kind. */
export const destinationKind = (name: string): DestinationKind | undefined => byName.get(name);

/** Sorted by name. */
export const destinationDefinitions = (): DestinationDefinition[] =>
  KINDS.map(({ definition }) => definition).sort((a, b) => (a.name < b.name ? -1 : 1));
