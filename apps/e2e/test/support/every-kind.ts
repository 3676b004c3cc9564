const CODE = 'export function transformEvent(event) { return event; }';

/** Files with two of each kind of resource. JSON is YAML. They need a value for `SECRET`. */
export const everyKind = {
  'weir.yaml': JSON.stringify({
    credentials: ['maps', 'mail'].map((key) => ({ key, value: '{{ env.SECRET }}' })),
    sources: ['shop', 'app'].map((name) => ({ name, type: 'HTTP', privacy: { samples: 'mask', maskedKeys: [] } })),
    destinations: ['hook', 'other'].map((name) => ({
      ...{ name, type: 'WEBHOOK', transformation: 'mask' },
      config: { webhookUrl: 'https://example.com/', headers: [{ from: 'authorization', to: '{{ env.SECRET }}' }] },
    })),
    connections: [
      { source: 'shop', destination: 'hook' },
      { source: 'app', destination: 'other', enabled: false },
    ],
  }),
  'transformations/mask.js': `import { hide } from 'masks';\nexport const transformEvent = (event) => hide(event);`,
  'transformations/same.js': CODE,
  'libraries/masks.js': 'export const hide = (event) => event;',
  'libraries/more.js': 'export const one = 1;',
};

/** The same resources, with a change in one of each kind. The value of the credential shows, so that a plan sees the change. */
export const changedKinds = {
  ...everyKind,
  'weir.yaml': everyKind['weir.yaml']
    .replace('"value":"{{ env.SECRET }}"', '"value":"shown","secret":false')
    .replace('"maskedKeys":[]', '"maskedKeys":["traits.plate"]')
    .replace('https://example.com/', 'https://example.com/later')
    .replace('"enabled":false', '"enabled":true'),
  'transformations/same.js': `${CODE}// later`,
  'libraries/more.js': 'export const one = 2;',
};
