import { withReferences } from '../../project/export.js';
import type { Json, JsonObject } from '../../project/json.js';
import type { Definition, Import } from '../import.js';
import type { Node } from '../ledger.js';
import type { Functions } from './functions.js';
import { isMasked, unknownSecret } from './secrets.js';

/** Kinds of Weir for slugs of Segment, without `actions-` before and `-cloud` or `-web` after them. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ webhooks: 'WEBHOOK', webhook: 'WEBHOOK', amplitude: 'AM', braze: 'BRAZE', appboy: 'BRAZE', mixpanel: 'MP' },
  ...{ hubspot: 'HS', intercom: 'INTERCOM', slack: 'SLACK', klaviyo: 'KLAVIYO', iterable: 'ITERABLE', heap: 'HEAP' },
  ...{ 'customer-io': 'CUSTOMERIO', customerio: 'CUSTOMERIO', 'google-analytics-4': 'GA4', posthog: 'POSTHOG' },
  ...{ 'facebook-conversions-api': 'FACEBOOK_CONVERSIONS', moengage: 'MOENGAGE', clevertap: 'CLEVERTAP', vero: 'VERO' },
  ...{ sendgrid: 'SENDGRID', mailchimp: 'MAILCHIMP', zendesk: 'ZENDESK', appsflyer: 'AF', adjust: 'ADJ' },
  ...{ statsig: 'STATSIG', discord: 'DISCORD', emarsys: 'EMARSYS', airship: 'AIRSHIP', sprig: 'SPRIG' },
  ...{ 'algolia-insights': 'ALGOLIA', 'branch-metrics': 'BRANCH', 'facebook-app-events': 'FB', fullstory: 'FULLSTORY' },
  ...{ 'tiktok-conversions': 'TIKTOK_ADS', 'snap-conversions': 'SNAPCHAT_CONVERSION', 'amazon-s3': 'S3' },
};
const LOST = {
  id: 'Weir makes ids of its own. Files refer to resources by name',
  metadata: 'It describes the kind of the destination',
};

interface Known {
  /** Names of sources by their ids at Segment. */
  sources: ReadonlyMap<string, string | undefined>;
  functions: Functions;
}

export function importDestination(node: Node, { sources, functions }: Known, into: Import): void {
  const [id, slug] = [node.at('id').text ?? '', node.at('metadata').at('slug').text ?? ''];
  const title = node.at('name').text || (node.at('metadata').at('name').text ?? 'unnamed');
  const kind = into.definitions.get(KINDS[slug.replace(/^actions-/, '').replace(/-(?:cloud|web)$/, '')] ?? '');
  if (!kind) {
    node.lost(`Weir has no destinations of the kind ${slug}`);
    const events = 'No event would reach it. A WEBHOOK or HTTP destination can send them to a service of yours';
    into.losses.push({ what: `destination "${title}" (${slug})`, events });
    return;
  }
  const name = into.freeName('destinations', title);
  const place = `destination "${name}"`;
  node.lostAll(LOST);
  node.at('metadata').at('slug').mapped(`${place}: type`);
  node.at('name').mapped(`${place}: name`);
  node.at('enabled').mapped(`${place}: enabled`);
  const config = settingsOf(node.at('settings'), { place, title: name, kind }, into);
  const { transformation, isMissing } = functions.before(id, name);
  into.project.destinations.push({
    ...{ name, type: kind.name },
    ...((!node.at('enabled').isOn || isMissing) && { enabled: false }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(transformation !== undefined && { transformation }),
  });
  connect(node.at('sourceId'), sources, name, into);
}

function connect(node: Node, sources: Known['sources'], destination: string, into: Import): void {
  const source = sources.get(node.text ?? '');
  if (source === undefined) {
    node.lost('Weir does not have its source');
    return;
  }
  node.mapped(`connection of source "${source}" to destination "${destination}"`);
  into.project.connections.push({ source, destination });
}

/** Takes over settings with the same name. The owner fills in the settings that only Weir has. */
function settingsOf(
  node: Node,
  { place, title, kind }: { place: string; title: string; kind: Definition },
  into: Import,
): JsonObject {
  const found: JsonObject = kind.name === 'WEBHOOK' ? webhookOf(node, place) : {};
  const masked: JsonObject = {};
  node.lost('It is empty');
  for (const one of node.items()) {
    const key = Object.keys(kind.settings).find((name) => name.toLowerCase() === one.key.toLowerCase());
    const isFit = key !== undefined && (kind.settings[key] ?? []).includes(jsonType(one.value));
    if (kind.name === 'WEBHOOK' && one.key === 'hooks') continue;
    if (!isFit) one.lost(`${kind.name} of Weir has no such setting: fill in those that it has`);
    else if (isMasked(one.value)) masked[key] = unknownSecret(one, [title, key], `${place}: ${key}`, into);
    else found[key] = one.mapped(`${place}: config.${key}`).value as Json;
  }
  if (node.items().some(({ value }) => value !== '' && value !== null))
    into.losses.push({ what: `${place}: settings`, events: 'None arrive until you fill in what the kind needs' });
  const secrets = withReferences(found, kind.secretKeys, (path, value) =>
    into.secret(value, `${place}: ${path.join('.')}`, title, ...path),
  );
  return { ...secrets, ...masked };
}

/** Segment sends to a list of addresses. A destination of Weir has one, with headers as a list. */
function webhookOf(settings: Node, place: string): JsonObject {
  const [first, ...others] = settings.at('hooks').items();
  settings.at('hooks').lost('It is empty');
  for (const one of others) one.lost('A WEBHOOK of Weir has one address: write a destination for each');
  const url = first?.at('hook').mapped(`${place}: config.webhookUrl`).text;
  const headers = (first?.at('headers').items() ?? []).map((one) => {
    one.mapped(`${place}: config.headers`);
    return { from: one.key, to: String(one.value) };
  });
  return { ...(url !== undefined && { webhookUrl: url }), ...(headers.length > 0 && { headers }) };
}

const jsonType = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
