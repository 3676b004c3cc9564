/** A chapter of the document: the paths that begin with one of the prefixes. */
interface Tag {
  name: string;
  description: string;
  prefixes: readonly string[];
}

/**
 * Chapters in the order in which a new user needs them. The first one with a matching prefix takes a path, and the last one takes
 * whatever is left.
 */
export const TAGS: readonly Tag[] = [
  {
    name: 'Sources',
    description: 'Where events come from. Each source has a write key, which SDKs and servers send with every event.',
    prefixes: ['/v2/sources'],
  },
  {
    name: 'Destinations',
    description: 'Where events go. The definition of its type says which settings a destination takes.',
    prefixes: ['/v2/destinations', '/destination-definitions'],
  },
  {
    name: 'Connections',
    description: 'A connection lets the events of a source reach a destination.',
    prefixes: ['/v2/connections'],
  },
  {
    name: 'Events',
    description: 'Send events with the write key of a source. SDKs use the same paths.',
    prefixes: ['/v1/', '/beacon/', '/pixel/', '/sourceConfig'],
  },
  {
    name: 'Publishing',
    description: 'Test and publish revisions of transformations and libraries together, all or none.',
    prefixes: [
      '/transformations/libraries/',
      '/transformations/publish',
      '/transformations/tests/',
      '/libraries/publish',
    ],
  },
  {
    name: 'Transformations',
    description: 'Code that changes, drops or multiplies the events of a destination. Every change makes a revision.',
    prefixes: ['/transformations'],
  },
  { name: 'Libraries', description: 'Code that transformations import.', prefixes: ['/libraries'] },
  {
    name: 'Credentials',
    description: 'Secrets that code reads with `getCredential(key)`.',
    prefixes: ['/v2/credentials'],
  },
  {
    name: 'Tests',
    description: 'Send one event through the stages of a destination, and see what it would receive.',
    prefixes: ['/v0/', '/v2/test-runs'],
  },
  {
    name: 'Deliveries',
    description: 'Outcomes of events: failures, counters, replays, and events as they pass.',
    prefixes: ['/v2/deliveries', '/v2/live-events', '/v2/events'],
  },
  {
    name: 'Notifications',
    description: 'How people are notified of trouble: signed webhooks, Slack and mail.',
    prefixes: ['/v2/notifications'],
  },
  {
    name: 'Regulations',
    description: 'Suppress users and delete their data, with a signed receipt.',
    prefixes: ['/v2/regulations', '/v2/receipt-keys', '/v2/audit'],
  },
  {
    name: 'Schemas',
    description: 'The shape of incoming events: models, versions, samples, drift and personal data.',
    prefixes: ['/schemas/'],
  },
  {
    name: 'Workspace',
    description: 'The workspace of the token, and its access tokens.',
    prefixes: ['/v2/workspace', '/v2/access-tokens'],
  },
  {
    name: 'Console',
    description: 'Sign-in and sessions of the console. A session cookie opens what the token behind it opens.',
    prefixes: ['/console/'],
  },
  { name: 'Operator', description: 'Workspaces and tokens of the whole installation.', prefixes: ['/admin/'] },
  {
    name: 'Empty lists',
    description: 'Kinds of objects that Weir does not have. Infrastructure tools list them before they plan.',
    prefixes: ['/v2/'],
  },
  {
    name: 'Service',
    description: 'Running processes with their versions, probes, and this document.',
    prefixes: ['/'],
  },
];

export const tagOf = (path: string): string =>
  TAGS.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)))?.name ?? '';
