import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { eventCall, standardName } from './attentive_tag.events.js';
import { type Call, identities, subscriptionOfIdentify, subscriptions } from './attentive_tag.people.js';
import { attentiveTagRequests } from './attentive_tag.requests.js';

/** https://docs.attentive.com/openapi/reference/ */
const API = 'https://api.attentivemobile.com/v1';
const SUBSCRIPTION_EVENT = 'subscription_event';

export default defineKind({
  name: 'ATTENTIVE_TAG',
  displayName: 'Attentive Tag',
  messageTypes: ['identify', 'track'],
  config: {
    apiKey: kit.required(kit.secret('API key')),
    signUpSourceId: kit.text('Sign-up unit to which people subscribe'),
    enableNewIdentifyFlow: kit.flag('Send an identify as identifiers and attributes, not as a subscription'),
  },
  example: { signUpSourceId: '241654' },
  requests: attentiveTagRequests,
  transform(event, config) {
    const headers = kit.bearerAuth(kit.requiredText(config, 'apiKey'));
    const calls = kit.byType<Call[]>(event, {
      identify: () =>
        kit.isOn(config, 'enableNewIdentifyFlow') ? identities(event) : [subscriptionOfIdentify(event, config)],
      track: () => {
        const name = kit.eventName(event);
        return standardName(name) === SUBSCRIPTION_EVENT ? subscriptions(event, config) : [eventCall(event, name)];
      },
    });
    return calls.map(([path, body]) => kit.jsonRequest(`${API}/${path}`, body, { headers }));
  },
});
