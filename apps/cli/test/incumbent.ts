import type { Code, CodeSource, Definition } from '../src/import/import.js';

export const CODE = 'export function transformEvent(event) { return event; }';
export const DEFINITIONS = new Map<string, Definition>(
  [
    { name: 'WEBHOOK', secretKeys: ['headers.to'], settings: { webhookUrl: ['string'], headers: ['array'] } },
    {
      ...{ name: 'GA4', secretKeys: ['apiSecret'] },
      settings: { apiSecret: ['string'], measurementId: ['string'], connectionMode: ['string'] },
    },
    { name: 'BRAZE', secretKeys: ['restApiKey'], settings: { restApiKey: ['string'], dataCenter: ['string'] } },
  ].map((one) => [one.name, one]),
);

/** Code of the revisions `v-…`. `v-python` is not JavaScript. */
export const codes: CodeSource = {
  transformation: async (_, versionId) => codeOf(versionId),
  library: async (versionId) => codeOf(versionId),
};
const codeOf = (versionId: string): Code | undefined =>
  versionId.startsWith('v-')
    ? { name: versionId, description: '', code: CODE, language: versionId === 'v-python' ? 'pythonfaas' : 'javascript' }
    : undefined;

export const SECRET = 'clear-text-secret';

/** A destination with every key of the format. */
export const destination = (fields: object = {}) => ({
  ...{ id: 'd1', originalId: 'd0', name: 'hook', enabled: true, workspaceId: 'w' },
  config: { webhookUrl: 'https://a.example', headers: [{ from: 'a', to: SECRET }], useNativeSDK: { web: true } },
  secretConfig: { signature: SECRET },
  ...{ isConnectionEnabled: true, isProcessorEnabled: true, revisionId: 'r', hasDynamicConfig: false, version: 1 },
  ...{ deliveryAccount: { id: 'a' }, deleteAccount: { id: 'a' } },
  destinationDefinition: { id: 'dd', name: 'WEBHOOK', displayName: 'Webhook', config: { a: 1 } },
  transformations: [{ versionId: 'v-mask', id: 't1', config: {} }],
  ...fields,
});

/** A source with every key of the format. */
export const source = (fields: object = {}) => ({
  ...{ id: 's1', originalId: 's0', name: 'shop', writeKey: '1puvbvMW2mxWvfFFnPIv5TTv4wL', enabled: true },
  ...{ workspaceId: 'w', config: { a: 1 }, transient: false, geoEnrichment: { enabled: true }, internalSecret: SECRET },
  sourceDefinition: {
    ...{ id: 'sd', name: 'Javascript', category: null, displayName: 'JS', type: 'web' },
    options: { hydration: { enabled: true } },
  },
  dgSourceTrackingPlanConfig: {
    ...{ sourceId: 's1', version: 1, config: { track: {} }, mergedConfig: {}, deleted: false },
    trackingPlan: { id: 'tp', version: 1 },
  },
  destinations: [destination()],
  ...fields,
});

/** A workspace with every key of the format. */
export const workspace = (fields: object = {}) => ({
  ...{ enableMetrics: true, workspaceId: 'w', eventReplays: { r: {} }, updatedAt: '2026-01-01T00:00:00Z' },
  sources: [source()],
  libraries: [{ versionId: 'v-lib' }],
  flags: { url: 'https://flags.example', services: { a: true } },
  settings: {
    dataRetention: {
      ...{ disableReportingPii: true, useSelfStorage: true, retentionPeriod: 'default' },
      storageBucket: { type: 'S3', config: { accessKey: SECRET } },
      storagePreferences: { procErrors: true, gatewayDumps: true },
    },
    eventAuditEnabled: true,
    eventBlocking: { events: { track: ['Spam'] } },
  },
  credentials: {
    maps: { key: 'maps', value: SECRET, isSecret: true },
    region: { key: 'region', value: 'eu', isSecret: false },
  },
  connections: { c1: { sourceId: 's1', destinationId: 'd1', enabled: true, config: {}, processorEnabled: true } },
  accounts: {
    a: { id: 'a', accountDefinitionName: 'ad', options: {}, secret: SECRET, accountDefinition: { name: 'ad' } },
  },
  accountDefinitions: { ad: { name: 'ad', config: {}, authenticationType: 'OAuth' } },
  ...fields,
});

/** Workspace files. Each has something that the others do not. */
export const WORKSPACES: Record<string, object> = {
  'every key': workspace(),
  'nothing at all': {},
  'a disabled connection': workspace({
    connections: { c1: { sourceId: 's1', destinationId: 'd1', enabled: false } },
  }),
  'a destination in two sources': workspace({
    sources: [
      source(),
      source({
        id: 's2',
        name: 'app',
        writeKey: '38eVmTk7eJQ4KzAcowplKjslOwe',
        destinations: [destination({ name: 'other' })],
      }),
    ],
  }),
  'a kind that Weir has not': workspace({
    sources: [source({ destinations: [destination({ destinationDefinition: { name: 'GOOGLE_ADS' } })] })],
  }),
  'sources that pull': workspace({
    sources: [source({ sourceDefinition: { name: 'facebook', category: 'singer-protocol' } })],
  }),
  'namesakes and short write keys': workspace({
    sources: [source(), source({ id: 's2', writeKey: 'short', destinations: [] })],
  }),
  'code in another language': workspace({
    sources: [source({ destinations: [destination({ transformations: [{ versionId: 'v-python', id: 't' }] })] })],
  }),
  'several transformations, and code that is nowhere': workspace({
    libraries: [{ versionId: 'nowhere' }],
    sources: [
      source({ destinations: [destination({ transformations: [{ versionId: 'v-a' }, { versionId: 'v-b' }] })] }),
    ],
  }),
  'secrets that no kind declares': workspace({
    sources: [
      source({
        config: { webhook: { signingKey: SECRET }, useSecret: true },
        destinations: [
          destination({
            config: {
              ...{ webhookUrl: 'https://a.example', accessKey: SECRET, hasToken: false, region: 'eu', rotates: 7 },
              ...{ auth: [{ user: 'a', privateKey: SECRET }], tokens: [SECRET], credentials: { any: SECRET } },
            },
          }),
        ],
      }),
    ],
  }),
  'a transient source': workspace({ sources: [source({ transient: true })] }),
  'values by platform, templates and references': workspace({
    sources: [
      source({
        destinations: [
          destination({
            destinationDefinition: { name: 'BRAZE' },
            config: {
              dataCenter: { web: 'EU-01', android: 'US-03' },
              restApiKey: SECRET,
              a: '{{ event.path || x }}',
              b: '{{ env.HOME }}',
            },
          }),
        ],
      }),
    ],
  }),
  'keys in another case': {
    Sources: [{ ID: 's', Name: 'Shop', WriteKey: '1puvbvMW2mxWvfFFnPIv5TTv4wL', SourceDefinition: { Name: 'HTTP' } }],
  },
};
