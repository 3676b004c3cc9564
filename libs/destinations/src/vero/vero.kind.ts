import type { DestinationKind } from '../kind.js';
import { secret, vendorDefinition } from '../toolkit/index.js';
import { veroTransform } from './vero.transform.js';

export const vero: DestinationKind = {
  definition: vendorDefinition({
    name: 'VERO',
    displayName: 'Vero',
    messageTypes: ['identify', 'track', 'page', 'screen', 'alias'],
    config: { apiKey: secret('Of the SDKs'), authToken: secret('Authentication token of the Track API') },
  }),
  transform: veroTransform,
};
