import { choice, flag, listOf, secret, text, vendorDefinition } from '../toolkit/index.js';

export const ga4Definition = vendorDefinition({
  name: 'GA4',
  displayName: 'Google Analytics 4 (GA4)',
  messageTypes: ['track', 'group', 'page'],
  config: {
    apiSecret: secret('API secret of the data stream'),
    typesOfClient: choice(['gtag', 'firebase'], 'Web or app data stream'),
    measurementId: text('Of a web stream, such as G-XXXX'),
    firebaseAppId: text('Of an app stream'),
    debugMode: flag('Have events checked only: nothing is counted'),
    piiPropertiesToIgnore: listOf(['piiProperty'], 'User properties that are not sent'),
    connectionMode: {
      schema: { description: 'hybrid: client and session are those of the page, from the integrations object' },
    },
    propertyId: text('Number of the property, for deletion'),
    serviceAccountKey: secret('JSON key file of a service account that may edit the property, for deletion'),
  },
});
