/** Answers of Segment's Public API, with every key that its documentation names. */

const AT = '2026-01-01T00:00:00.000Z';
const MASKED = '••••••••••cret';
export const INSERT_CODE = `
async function onTrack(event, settings) {
  if (event.event === 'Spam') throw new DropEvent('no');
  if (!event.userId) throw new ValidationError('who?');
  if (event.event === 'Broken') throw new Error('boom');
  if (event.event === 'Later') throw new RetryError('later');
  if (event.event === 'Nothing') return;
  event.properties = { region: settings.region };
  return event;
}
`;

export const source = (fields: object = {}) => ({
  ...{ id: 'src', slug: 'shop', name: 'shop', workspaceId: 'w', enabled: true, settings: { forgetIp: true } },
  writeKeys: ['1puvbvMW2mxWvfFFnPIv5TTv4wLabcde', 'short'],
  metadata: {
    ...{ id: 'm', name: 'Javascript', slug: 'javascript', description: 'd', isCloudEventSource: false },
    ...{
      logos: { default: 'https://a.example/logo.svg' },
      options: [{ name: 'o', required: false }],
      categories: ['Website'],
    },
  },
  labels: [{ key: 'environment', value: 'prod' }],
  ...fields,
});

export const destination = (fields: object = {}) => ({
  ...{ id: 'dst', name: 'hook', enabled: true, sourceId: 'src' },
  settings: {
    hooks: [
      { hook: 'https://a.example', headers: { authorization: 'clear-text-secret' } },
      { hook: 'https://b.example' },
    ],
    sharedSecret: MASKED,
  },
  metadata: { id: 'dm', name: 'Webhooks', slug: 'webhooks', status: 'PUBLIC', supportedMethods: { track: true } },
  ...fields,
});

export const insertFunction = (fields: object = {}) => ({
  ...{
    id: 'fn',
    workspaceId: 'w',
    displayName: 'Regions',
    description: 'Adds regions',
    logoUrl: '',
    code: INSERT_CODE,
  },
  ...{ createdAt: AT, createdBy: 'u', previewWebhookUrl: '', buildpack: 'boreal', catalogId: 'c', batchMaxCount: 0 },
  settings: [
    { name: 'region', label: 'Region', description: '', type: 'STRING', required: true, sensitive: false },
    { name: 'apiKey', label: 'Key', description: '', type: 'STRING', required: true, sensitive: true },
  ],
  ...{ resourceType: 'INSERT_DESTINATION', deployedAt: AT, isLatestVersion: true },
  ...fields,
});

export const instance = (fields: object = {}) => ({
  ...{ id: 'i', name: 'Regions', integrationId: 'dst', classId: 'fn', enabled: true, createdAt: AT, updatedAt: AT },
  settings: { region: 'eu', apiKey: MASKED },
  ...fields,
});

const answer = (data: object) => ({ data: { ...data, pagination: { current: 'MA==', totalEntries: 1 } } });

const page = (instances: object[], pagination: object) => ({
  data: { insertFunctionInstances: instances, pagination },
});
const TWO_FUNCTIONS = {
  'sources.json': answer({ sources: [source()] }),
  'destinations.json': answer({ destinations: [destination()] }),
  'functions.json': answer({ functions: [insertFunction(), insertFunction({ id: 'f2' })] }),
};

/** Files of one import, by name. Each set has something that others do not. */
export const ANSWERS: Record<string, Record<string, unknown>> = {
  'every key': {
    'sources.json': answer({ sources: [source()] }),
    'destinations.json': answer({ destinations: [destination()] }),
    'functions.json': answer({ functions: [insertFunction()] }),
    'instances.json': answer({ insertFunctionInstances: [instance()] }),
  },
  'nothing at all': { 'a.json': {}, 'b.json': [], 'c.json': null, 'd.json': 'text' },
  'several answers in one file, with more pages': {
    'all.json': [
      { data: { sources: [source()], pagination: { current: 'MA==', next: 'MQ==' } } },
      { data: { destinations: [destination()] } },
    ],
  },
  'kinds and sources that Weir has not': {
    'all.json': {
      sources: [source({ metadata: { slug: 'stripe', isCloudEventSource: true } })],
      destinations: [destination({ metadata: { slug: 'google-adwords' } }), destination()],
    },
  },
  'a vendor, masked secrets and references': {
    'all.json': {
      sources: [source({ metadata: { slug: 'ios' }, writeKeys: [], name: '{{ env.HOME }}' })],
      destinations: [
        destination({
          metadata: { slug: 'actions-braze-cloud' },
          settings: { RESTAPIKEY: MASKED, dataCenter: '{{ env.HOME }}', restApiKey: 7, other: 'x', empty: '' },
        }),
      ],
    },
  },
  'functions of other kinds, and instances that are off': {
    'all.json': {
      sources: [source()],
      destinations: [destination()],
      functions: [
        insertFunction(),
        insertFunction({ id: 'f2', resourceType: 'SOURCE' }),
        insertFunction({ id: 'f3', resourceType: 'DESTINATION' }),
        insertFunction({ id: 'f4', resourceType: 'NEW' }),
      ],
      insertFunctionInstances: [instance({ enabled: false }), instance({ id: 'i2', integrationId: 'nowhere' })],
    },
  },
  'a function before two destinations, with a secret in the clear': {
    'all.json': {
      sources: [source()],
      destinations: [destination(), destination({ id: 'd2' })],
      functions: [insertFunction()],
      insertFunctionInstances: [
        instance({ settings: { region: 'eu', apiKey: 'clear-text-secret', undeclared: 1 } }),
        instance({ id: 'i2', integrationId: 'd2', settings: { region: 'us' } }),
      ],
    },
  },
  'instances under the name of the documentation': {
    'all.json': {
      sources: [source()],
      destinations: [destination()],
      functions: [insertFunction()],
      instances: [instance()],
    },
  },
  'insert functions, and not where they stand': {
    'all.json': { sources: [source()], destinations: [destination()], functions: [insertFunction()] },
  },
  'instances of one of two functions': {
    'all.json': {
      sources: [source()],
      destinations: [destination(), destination({ id: 'd2' })],
      functions: [insertFunction(), insertFunction({ id: 'f2' })],
      insertFunctionInstances: [instance()],
    },
  },
  'instances on further pages': {
    'all.json': { sources: [source()], destinations: [destination({ id: 'd2' })], functions: [insertFunction()] },
    'instances.json': { data: { instances: [instance()], pagination: { current: 'MA==', next: 'MQ==' } } },
  },
  'an instance whose function is not there': {
    'all.json': {
      sources: [source()],
      destinations: [destination(), destination({ id: 'd2' })],
      functions: [insertFunction({ code: undefined })],
      insertFunctionInstances: [instance()],
    },
  },
  'two functions before one destination': {
    'all.json': {
      sources: [source()],
      destinations: [destination()],
      functions: [insertFunction(), insertFunction({ id: 'f2', displayName: 'Other' })],
      insertFunctionInstances: [
        instance({ id: 'i0', classId: 'f2', enabled: false }),
        instance(),
        instance({ id: 'i2', classId: 'f2' }),
      ],
    },
  },
  'a function that stands nowhere': {
    'all.json': {
      sources: [source()],
      destinations: [destination()],
      functions: [insertFunction(), insertFunction({ id: 'f2' })],
      insertFunctionInstances: [instance()],
    },
    'instances.json': answer({ insertFunctionInstances: [] }),
  },
  'instances on two pages': {
    ...TWO_FUNCTIONS,
    'a1.json': page([instance({ integrationId: 'nowhere' })], { current: 'MA==', next: 'MQ==' }),
    'a2.json': page([instance({ id: 'i2' })], { current: 'MQ==' }),
    'b.json': page([], { current: 'MA==' }),
  },
  'instances of one of two functions, on two pages': {
    ...TWO_FUNCTIONS,
    'a1.json': page([instance({ integrationId: 'nowhere' })], { current: 'MA==', next: 'MQ==' }),
    'a2.json': page([instance({ id: 'i2' })], { current: 'MQ==' }),
  },
  'instances on further pages, beside those of another function': {
    ...TWO_FUNCTIONS,
    'a1.json': page([instance()], { current: 'MA==', next: 'MQ==' }),
    'b2.json': page([instance({ id: 'i2', classId: 'f2', integrationId: 'nowhere' })], { current: 'MQ==' }),
  },
};
