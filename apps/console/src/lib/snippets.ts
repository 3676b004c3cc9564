export interface Snippet {
  name: string;
  code: string;
}

/** Ways to send the first event, with the write key of a source filled in. */
export function snippetsFor(writeKey: string, origin: string): Snippet[] {
  return [
    {
      name: 'curl',
      code: `curl -u '${writeKey}:' ${origin}/v1/track \\
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
