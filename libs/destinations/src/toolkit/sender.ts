/**
 * The labels under which vendors already know senders of this event format. Wire facts, in one place: segments, aliases and
 * dashboards that customers have at a vendor filter by them, so another label would cut their history in two.
 */
export const SENDER = {
  id: 'rudderstack',
  name: 'RudderStack',
  iconUrl: 'https://cdn.rudderlabs.com/rudderstack.png',
  aliasLabel: 'rudder_id',
  groupPrefix: 'ab_rudder_group_',
  tagGroup: 'rudderstack_integration',
  eventSource: 'Rudder',
  messageTitle: 'Message from Rudderstack ',
} as const;
