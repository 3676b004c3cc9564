import { EVENT_TYPES, type EventType } from './filters.js';

export interface Snippet {
  name: string;
  code: string;
}

/** Fields that the server or the SDK adds to an event. Left out, so that the copy becomes a new event. */
const OWN_OF_THE_EVENT = new Set(['messageId', 'receivedAt', 'sentAt', 'originalTimestamp', 'timestamp', 'request_ip']);

/** A command for a POSIX shell that sends an event like this one. No text of the event can end its quotes. */
export function curlOf(event: Readonly<Record<string, unknown>>, writeKey: string, origin: string): string {
  const path = isEventType(event['type']) ? event['type'] : 'batch';
  const body = Object.fromEntries(Object.entries(event).filter(([name]) => !OWN_OF_THE_EVENT.has(name)));
  return `curl -u ${quoted(`${writeKey}:`)} ${origin}/v1/${path} \\
  -H 'Content-Type: application/json' \\
  --data-raw ${quoted(JSON.stringify(path === 'batch' ? { batch: [body] } : body))}`;
}

const isEventType = (value: unknown): value is EventType => EVENT_TYPES.some((type) => type === value);
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Ways to send the first event, with the write key of a source filled in. */
export function snippetsFor(writeKey: string, origin: string): Snippet[] {
  return [
    {
      name: 'curl',
      code: `curl ${origin}/v1/track \\
  -u '${writeKey}:' \\
  -H 'Content-Type: application/json' \\
  -d '{"userId":"ada","event":"Bought","properties":{"price":12.5}}'`,
    },
    {
      name: 'Browser',
      code: `<script type="module">
  import { RudderAnalytics } from 'https://cdn.jsdelivr.net/npm/@rudderstack/analytics-js@3/dist/npm/modern/bundled/esm/index.mjs';
  const analytics = new RudderAnalytics();
  analytics.load('${writeKey}', '${origin}', { configUrl: '${origin}' });
  analytics.track('Bought', { price: 12.5 });
</script>`,
    },
    {
      name: 'Node.js',
      code: `import Analytics from '@rudderstack/rudder-sdk-node';

const analytics = new Analytics('${writeKey}', { dataPlaneUrl: '${origin}' });
analytics.track({ userId: 'ada', event: 'Bought', properties: { price: 12.5 } });`,
    },
    {
      name: "Segment's SDK",
      code: `import { Analytics } from '@segment/analytics-node';

const analytics = new Analytics({ writeKey: '${writeKey}', host: '${origin}' });
analytics.track({ userId: 'ada', event: 'Bought', properties: { price: 12.5 } });`,
    },
    {
      name: 'Python',
      code: `import requests

requests.post(
    '${origin}/v1/track',
    auth=('${writeKey}', ''),
    json={'userId': 'ada', 'event': 'Bought', 'properties': {'price': 12.5}},
).raise_for_status()`,
    },
  ];
}
