import { CODE, SECRET } from './incumbent.js';

/** A document of the incumbent's project files, with every key that documents share. */
const document = (kind: string, spec: object, version = 'rudder/v1') =>
  JSON.stringify({
    ...{ version, kind },
    metadata: {
      name: 'shop',
      import: { workspaces: [{ workspace_id: 'w', resources: [{ urn: 'a:b:web', remote_id: 'r' }] }] },
    },
    spec,
  });
const several = (...documents: string[]) => documents.join('\n---\n');

const source = (more = {}) =>
  document('event-stream-source', { id: 'web', name: 'shop', type: 'javascript', enabled: true, ...more });
const destination = (more = {}) =>
  document('destination', {
    ...{ id: 'hook', display_name: 'hook', type: 'webhook', enabled: true, definition_version: '1.0' },
    config: { webhook_url: 'https://a.example', own_setting: [{ deep_key: 1 }] },
    ...more,
  });
const connections = (source = '#event-stream-source:web', to: unknown = '#destination:hook') =>
  document('event-stream-connections', { connections: [{ id: 'c', source, destination: to, enabled: false }] });
const transformation = (more = {}) =>
  document('transformation', { id: 'mask', name: 'Mask', description: 'Hides', language: 'javascript', ...more });

const planOf = (version: string, kind: string) =>
  document(
    kind,
    {
      ...{ id: 'plan', display_name: 'Plan', description: '' },
      rules: [
        {
          ...{ id: 'r1', type: 'event_rule', additional_properties: false },
          event: { $ref: '#/events/shop/bought', allow_unplanned: false },
          properties: [
            { property: '#property:price', required: true, properties: [{ $ref: '#/properties/shop/unit' }] },
          ],
          variants: [{ type: 'discriminator', discriminator: 'price', cases: [], default: [] }],
        },
      ],
    },
    version,
  );

/** Folders of project files. Each has something that the others do not. */
export const PROJECTS: Record<string, Record<string, string>> = {
  'every key of sources, destinations and connections': {
    'all.yaml': several(source(), destination(), connections()),
  },
  'a source under governance': {
    'source.yaml': source({
      governance: { validations: { tracking_plan: '#tracking-plan:plan', config: { track: { drop: true } } } },
    }),
  },
  'a transformation with tests, in a file': {
    'code/mask.yaml': transformation({
      file: 'mask.js',
      tests: [
        { name: 'purchases', input: './in', output: './out' },
        { name: 'nowhere', input: './gone', output: './out' },
        { name: 'broken', input: './broken', output: './out' },
      ],
    }),
    'code/mask.js': CODE,
    'code/in/one.json': '[{"event":"Bought"}]',
    'code/in/two.json': '{"event":"Sold"}',
    'code/in/README.md': 'not an event',
    'code/out/one.json': '[{"event":"Bought"}]',
    'code/broken/one.json': '[1]',
  },
  'a transformation in the document, and its library': {
    'code.yaml': several(
      transformation({ code: CODE }),
      document('transformation-library', {
        ...{ id: 'masks', name: 'my masks', description: '', language: 'javascript', import_name: 'myMasks' },
        code: 'export const one = 1;',
      }),
      destination({ transformation: '#transformation:mask' }),
    ),
  },
  'code in Python, and code that is nowhere': {
    'code.yaml': several(
      transformation({ language: 'pythonfaas', code: 'def transformEvent(event, metadata): return event' }),
      transformation({ id: 'gone', file: 'gone.js' }),
      destination({ transformation: '#transformation:gone' }),
    ),
  },
  'a kind of destination that Weir has not, and its connection': {
    'all.yaml': several(source(), destination({ type: 'google_ads' }), connections()),
  },
  'references of the older form': {
    'all.yaml': several(
      document('transformation', { id: 'mask', name: 'Mask', language: 'javascript', code: CODE }, 'rudder/v0.1'),
      source(),
      destination({ transformation: { $ref: '#/transformation/shop/mask' } }),
      connections('#/event-stream-source/shop/web', { $ref: '#/destination/shop/hook' }),
    ),
  },
  'a tracking plan': { 'plan.yaml': planOf('rudder/v1', 'tracking-plan') },
  'a tracking plan of the older form': { 'plan.yaml': planOf('rudder/v0.1', 'tp') },
  'variables, in two files': {
    'all.yaml': destination({ config: { webhook_url: 'https://{{ .HOST }}/{{ .PATH_OF_HOOK }}' } }),
    'a.vars.yaml': 'HOST: a.example',
    'b.vars.yml': 'PATH_OF_HOOK: 7',
  },
  'templates in settings': {
    'all.yaml': destination({
      config: { webhook_url: "https://a.example/{{ event.path || 'b' }}", own: '{{ env.A }}' },
    }),
  },
  'values by platform': {
    'all.yaml': several(
      connections('#event-stream-source:app', '#destination:ga'),
      source({ id: 'app', name: 'app', type: 'android' }),
      destination({
        ...{ id: 'ga', display_name: 'ga', type: 'ga4' },
        config: { connection_mode: { web: 'hybrid', android: 'cloud' }, measurement_id: { web: 'G-1' } },
      }),
    ),
  },
  'secrets in clear and as variables': {
    'all.yaml': destination({
      config: {
        webhook_url: 'https://a.example',
        headers: [
          { from: 'a', to: SECRET },
          { from: 'b', to: 'Bearer {{ .TOKEN }}' },
        ],
      },
    }),
    'a.vars.yaml': 'TOKEN: t',
  },
  'variables in code': {
    'code.yaml': transformation({
      code: 'const K = ["{{ .API_KEY }}", "{{ .NOWHERE }}"];\nexport const transformEvent = (event) => ({ ...event, K });',
    }),
    'a.vars.yaml': 'API_KEY: k1',
  },
  ...Object.fromEntries(
    [
      ['events', { events: [{ id: 'bought', name: 'Bought', event_type: 'track', category: '#category:shop' }] }],
      ['properties', { properties: [{ id: 'price', name: 'price', type: 'number', propConfig: { minimum: 0 } }] }],
      ['categories', { categories: [{ id: 'shop', name: 'Shop' }] }],
      ['custom-types', { types: [{ id: 'money', name: 'Money', properties: [{ $ref: '#/properties/shop/price' }] }] }],
      ['account', { id: 'a', definition: 'oauth', secret: '{{ .SECRET }}' }],
      ['import-manifest', { resources: [{ local_id: 'web', remote_id: 'r' }] }],
      ['data-graph', { id: 'g', models: [{ id: 'm', table: 'users' }] }],
      ['retl-source-sql-model', { id: 's', sql: 'SELECT 1', primary_key: 'id' }],
    ].map(([kind, spec]) => [`the kind ${kind}`, { 'some/where.yaml': document(kind as string, spec as object) }]),
  ),
};
