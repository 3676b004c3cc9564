import { flag, listOf, required, text, vendorDefinition } from '../toolkit/index.js';

export const adjustDefinition = vendorDefinition({
  name: 'ADJ',
  displayName: 'Adjust',
  messageTypes: ['track'],
  config: {
    appToken: required(text('App token')),
    environment: flag('Production; otherwise the sandbox'),
    customMappings: listOf(['from', 'to'], 'Event tokens: name of the event in `from`, its token in `to`'),
    partnerParamsKeys: listOf(['from', 'to'], 'Properties that partners get, under the name in `to`'),
  },
});
