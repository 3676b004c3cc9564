import {
  address,
  anything,
  choice,
  flag,
  listOf,
  secret,
  secretItems,
  text,
  vendorDefinition,
} from '../toolkit/index.js';

export const HTTP_METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

export const httpDefinition = vendorDefinition({
  name: 'HTTP',
  displayName: 'HTTP',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    apiUrl: address('Where events are sent'),
    auth: choice(['noAuth', 'basicAuth', 'bearerTokenAuth', 'apiKeyAuth'], 'How requests show who they are from'),
    username: text('For basicAuth'),
    password: secret('For basicAuth'),
    bearerToken: secret('For bearerTokenAuth'),
    apiKeyName: text('Header of the key, for apiKeyAuth'),
    apiKeyValue: secret('For apiKeyAuth'),
    xmlRootKey: text('Outermost element, for XML'),
    method: choice(HTTP_METHODS, 'POST when not given'),
    format: choice(['JSON', 'XML', 'FORM'], 'Of the body; JSON when not given'),
    propertiesMapping: listOf(['from', 'to'], 'Body: a path or quoted text in `from`, a path in `to`'),
    queryParams: secretItems(['from'], listOf(['from', 'to'], 'Query of the address, as in propertiesMapping')),
    // Headers and queries may hold API keys.
    headers: secretItems(['from'], listOf(['from', 'to'], 'Headers, as in propertiesMapping')),
    pathParams: listOf(['path'], 'Segments to append to the address: paths, or text as it is'),
    isBatchingEnabled: flag('Send several JSON bodies as one array'),
    maxBatchSize: anything('Bodies in one array'),
    isDefaultMapping: flag('Send the event as it is'),
  },
});
