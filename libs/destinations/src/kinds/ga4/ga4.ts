import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { ga4Deletion } from './ga4.deletion.js';
import { groupEvent, pageEvent, trackEvent } from './ga4.params.js';
import { checkClient, checkPage, collectRequest, GA4_SETTINGS, ga4Deliver, ga4Requests } from './ga4.request.js';

const OPTION_NAMES = ['GA4', 'Google Analytics 4', 'googleAnalytics4', 'Google Analytics 4 (GA4)'];

export default defineKind({
  name: 'GA4',
  displayName: 'Google Analytics 4 (GA4)',
  messageTypes: ['track', 'group', 'page'],
  config: {
    ...GA4_SETTINGS,
    propertyId: kit.text('Number of the property, for deletion'),
    serviceAccountKey: kit.secret('JSON key file of a service account that may edit the property, for deletion'),
  },
  example: { typesOfClient: 'gtag', measurementId: 'G-ABC123' },
  /** Converts an event to a request of the Measurement Protocol. */
  transform(event, config) {
    checkClient(config);
    const named = kit.byType(event, {
      track: () => trackEvent(event),
      page: () => {
        checkPage(config);
        return pageEvent(event);
      },
      group: () => groupEvent(event),
    });
    const options = kit.integrationOptions(event, ...OPTION_NAMES);
    return [collectRequest(event, config, { ...named, options })];
  },
  requests: ga4Requests,
  deliver: ga4Deliver,
  deletion: ga4Deletion,
});
