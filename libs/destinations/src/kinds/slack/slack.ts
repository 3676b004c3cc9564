import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** Channels and templates per event, for track events. */
const SLACK_PATTERNS = kit.eventPatterns('eventChannelSettings', 'eventTemplateSettings');

const IDENTIFY_TEMPLATE = 'Identified {{name}}{{traits}}';
const TRACK_TEMPLATE = '{{name}} did {{event}}';
/** In characters. Slack cuts longer texts. https://docs.slack.dev/reference/methods/chat.postMessage */
const TEXT_LENGTH_MAX = 40_000;

/** Slack's control characters. https://docs.slack.dev/messaging/formatting-message-text#escaping */
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Posted messages stay, because Slack has no deletion by user. */
export default defineKind({
  name: 'SLACK',
  displayName: 'Slack',
  messageTypes: ['identify', 'track'],
  patterns: SLACK_PATTERNS,
  config: {
    eventChannelSettings: kit.secretItems(
      ['eventChannelWebhook'],
      kit.listOf(['eventName', 'eventRegex', 'eventChannel', 'eventChannelWebhook'], 'Channel by event'),
    ),
    incomingWebhooksType: kit.words(['legacy', 'modern'], 'legacy: one webhook for every channel'),
    identifyTemplate: kit.text('Text with {{name}}, {{traits}}, {{newline}} and {{any.path}}'),
    eventTemplateSettings: kit.listOf(['eventName', 'eventRegex', 'eventTemplate'], 'Template by event'),
    // Anyone with the address of an incoming webhook can post to it.
    webhookUrl: kit.secret('Incoming webhook for all messages'),
    whitelistedTraitsSettings: kit.listOf(['trait'], 'Traits that messages may show. All if empty'),
    denyListOfEvents: kit.listOf(['eventName'], 'Events that are not sent'),
    username: kit.text(
      `Sender that messages name. None if empty. Default: ${kit.SENDER.name}. Webhooks of a Slack app always show the app`,
    ),
    iconUrl: kit.text(
      'Icon of the sender. None if empty. Default: that of the sender. Webhooks of a Slack app always show its own',
    ),
  },
  example: { eventChannelSettings: [{ eventName: 'Order Completed', eventChannelWebhook: '' }] },
  requests: {
    'POST *': {
      type: 'object',
      required: ['payload'],
      properties: { payload: { type: 'string', pattern: '"text":"' } },
    },
  },
  /** The message of an incoming webhook: the form field `payload` with the text (Slack's own documentation). */
  transform(event, config) {
    return kit.byType(event, {
      identify: () => [message(event, config, kit.configText(config, 'identifyTemplate') || IDENTIFY_TEMPLATE, {})],
      track: () => {
        const name = kit.eventName(event);
        if (kit.configWords(config, 'denyListOfEvents', 'eventName').includes(name)) return [];
        const settingOf = kit.settingsFor(name, config, SLACK_PATTERNS);
        const template = kit.toText(settingOf('eventTemplateSettings')['eventTemplate']) || TRACK_TEMPLATE;
        return [message(event, config, template, settingOf('eventChannelSettings'))];
      },
    });
  },
});

function message(event: JsonObject, config: JsonObject, template: string, setting: JsonObject): Payload {
  const endpoint = kit.configText(setting, 'eventChannelWebhook') || kit.configText(config, 'webhookUrl');
  if (!/^https?:\/\//.test(endpoint)) kit.refuse('webhookUrl is required');
  const content = kit.withoutEmpty({ channel: setting['eventChannel'], ...senderOf(config) });
  const text = kit.fillTemplate(template, valuesOf(event, config), TEXT_LENGTH_MAX, escaped);
  return kit.formRequest(
    endpoint,
    { payload: JSON.stringify({ text, ...content }) },
    { userId: kit.textAt(event, ['userId', 'anonymousId']) ?? '' },
  );
}

/**
 * Anyone with a write key can send events. So `<!channel>` in an event notifies nobody, and neither does `!channel` in a template
 * `<{{url}}|more>`. In the template itself it does.
 */
function escaped(text: string, before: string): string {
  const plain = text.replace(/[&<>]/g, (character) => String(ESCAPES[character]));
  return before === '<' && /^[!@#]/.test(plain) ? ` ${plain}` : plain;
}

/**
 * Defaults apply only if nothing is configured. A configured empty text is dropped later, and Slack then uses the webhook's own
 * settings.
 */
const senderOf = ({ username, iconUrl }: JsonObject): JsonObject => ({
  username: username ?? kit.SENDER.name,
  icon_url: iconUrl ?? kit.SENDER.iconUrl,
});

/**
 * Names that templates of existing senders use. A trait also stands under its own name, and so does a property of a track event.
 * The event's own keys win.
 */
function valuesOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = kit.traitsOf(event);
  const shown = kit.configWords(config, 'whitelistedTraitsSettings', 'trait');
  const properties = kit.objectAt(event, 'properties');
  const own = {
    ...{ name: kit.displayName(event, traits), traits: kit.listed(traits, shown) },
    ...{ traitsList: traits, propertiesList: properties },
  };
  const named = kit.toLowerCase(event['type']) === 'track' ? properties : {};
  return kit.merged({ newline: '\n' }, traits, named, event, own);
}
