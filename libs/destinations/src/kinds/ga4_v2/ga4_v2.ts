import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { customEvent, groupEvent, type NamedEvent, pageEvent } from '../ga4/ga4.params.js';
import { checkClient, checkPage, collectRequest, GA4_SETTINGS, ga4Deliver, ga4Requests } from '../ga4/ga4.request.js';
import { mappedEvents } from './ga4_v2.mapping.js';

const OPTION_NAMES = ['GA4_V2', 'Google Analytics 4 V2', 'googleAnalytics4V2', 'Google Analytics 4 (GA4) V2'];

/** Google Analytics 4 with mappings of the configuration in place of a fixed table. What no mapping names is a custom event. */
export default defineKind({
  name: 'GA4_V2',
  displayName: 'Google Analytics 4 (GA4) V2',
  messageTypes: ['track', 'group', 'page'],
  config: {
    ...GA4_SETTINGS,
    eventsMapping: kit.anything(
      'Events of Google: [{ rsEventName, destEventName, eventProperties: [{ from, to }] }]. $group and $page name calls of these types',
    ),
  },
  example: { typesOfClient: 'gtag', measurementId: 'G-ABC123' },
  transform(event, config) {
    checkClient(config);
    const { mapping, byDefault } = kit.byType<Rule>(event, {
      track: () => ({
        mapping: kit.eventName(event).trim(),
        byDefault: (name, left) => customEvent(event, name, left),
      }),
      page: () => {
        checkPage(config);
        return { mapping: '$page', byDefault: () => pageEvent(event) };
      },
      group: () => ({ mapping: '$group', byDefault: () => groupEvent(event) }),
    });
    const options = kit.integrationOptions(event, ...OPTION_NAMES);
    const mapped = mappedEvents(event, config, mapping, byDefault);
    const events = mapped.length > 0 ? mapped : [byDefault()];
    return events.map((named) => collectRequest(event, config, { ...named, options }));
  },
  requests: ga4Requests,
  deliver: ga4Deliver,
});

interface Rule {
  /** The name under which the configuration maps the event. */
  mapping: string;
  /** The event as it is without a mapping, or with the name of one and without the properties that are `left` to it. */
  byDefault(name?: string, left?: readonly string[]): NamedEvent;
}
