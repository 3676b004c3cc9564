/**
 * Labels by which vendors already know senders of this event format. Customers' segments, aliases and dashboards at a vendor
 * filter by these wire facts. Another label would split their history.
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
