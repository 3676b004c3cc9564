import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** Templates per event, for track events. */
const DISCORD_PATTERNS = kit.eventPatterns('eventTemplateSettings');

const TEMPLATES = {
  identify: 'Identified {{name}} with {{traits}}',
  track: '{{name}} did {{event}} with {{properties}}',
};
const DESCRIPTIONS = { identify: 'Identify call made', track: 'Track call made' };
/** In characters. Discord refuses a longer message as a whole. https://discord.com/developers/docs/resources/message */
const LENGTH_MAX = { content: 2_000, title: 256, description: 4_096 };

/**
 * Everything that Discord treats as a mention: `@everyone`, `@here`, `<@user>`, `<@!user>`, `<@&role>`. Other messages notify
 * nobody, so they need no setting. https://discord.com/developers/docs/reference#message-formatting
 */
const MENTION = /@(?:everyone|here)|<@/i;
const NOBODY = { allowed_mentions: { parse: [] } };

const textUpTo = (lengthMax: number) => ({ type: 'string', maxLength: lengthMax });
/** A message has a text or an embed: https://discord.com/developers/docs/resources/webhook#execute-webhook */
const MESSAGE = {
  anyOf: [{ required: ['embeds'] }, { properties: { content: kit.FILLED_TEXT } }],
  ...kit.objectWith(['content'], {
    content: textUpTo(LENGTH_MAX.content),
    embeds: kit.filledList(
      kit.objectWith(['title', 'description'], {
        title: textUpTo(LENGTH_MAX.title),
        description: textUpTo(LENGTH_MAX.description),
      }),
    ),
  }),
};

/** Posted messages stay, because a webhook cannot delete by user. */
export default defineKind({
  name: 'DISCORD',
  displayName: 'Discord',
  messageTypes: ['identify', 'track'],
  patterns: DISCORD_PATTERNS,
  config: {
    identifyTemplate: kit.text('Text with {{name}}, {{traits}} and {{any.path}}'),
    embedTitleTemplate: kit.text('Title of the embed'),
    embedDescriptionTemplate: kit.text('Text of the embed'),
    embedFlag: kit.flag('Messages have an embed too'),
    eventTemplateSettings: kit.listOf(
      ['eventName', 'eventRegex', 'eventTemplate'],
      'Template by event, by name or pattern',
    ),
    // Anyone with the address of a webhook can post to it.
    webhookUrl: { ...kit.address('Webhook of the channel'), isSecret: true },
    allowMentions: kit.flag('Messages notify whom they mention: @everyone, @here, people and roles'),
    whitelistedTraitsSettings: kit.listOf(['trait'], 'Traits that messages may show. All if empty'),
  },
  example: { embedFlag: true },
  requests: { 'POST *': MESSAGE },
  /** The webhook message for an event, https://discord.com/developers/docs/resources/webhook#execute-webhook */
  transform(event, config) {
    return kit.byType(event, {
      identify: () => [message(event, config, 'identify', kit.configText(config, 'identifyTemplate'))],
      track: () => {
        const setting = kit.settingsFor(kit.eventName(event), config, DISCORD_PATTERNS)('eventTemplateSettings');
        return [message(event, config, 'track', kit.toText(setting['eventTemplate']) ?? '')];
      },
    });
  },
});

function message(event: JsonObject, config: JsonObject, type: keyof typeof TEMPLATES, template: string): Payload {
  const endpoint = kit.requiredText(config, 'webhookUrl');
  if (!/^https?:\/\//.test(endpoint)) kit.refuse('webhookUrl must be an address that starts with https://');
  const values = valuesOf(event, config);
  const fill = (text: string, lengthMax: number) => filled(text, values, lengthMax);
  const title = kit.configText(config, 'embedTitleTemplate') || kit.SENDER.messageTitle;
  const description = kit.configText(config, 'embedDescriptionTemplate') || DESCRIPTIONS[type];
  const embed = {
    title: fill(title, LENGTH_MAX.title),
    description: fill(description, LENGTH_MAX.description),
  };
  const content = fill(template || TEMPLATES[type], LENGTH_MAX.content);
  const message = { content, ...(kit.isOn(config, 'embedFlag') && { embeds: [embed] }) };
  if (content.trim() === '' && !message.embeds) kit.refuse('the template makes an empty message of this event');
  // Anyone with a write key can send events, and write keys of web sources are public.
  const isQuiet = !kit.isOn(config, 'allowMentions') && mayNotify(message);
  return kit.jsonRequest(endpoint, { ...message, ...(isQuiet && NOBODY) });
}

/** Embeds notify nobody today, but Discord may change that. */
const mayNotify = ({ content, embeds = [] }: { content: string; embeds?: { title: string; description: string }[] }) =>
  [content, ...embeds.flatMap(({ title, description }) => [title, description])].some((text) => MENTION.test(text));

function valuesOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = kit.traitsOf(event);
  const shown = kit.configWords(config, 'whitelistedTraitsSettings', 'trait');
  return kit.merged(traits, event, {
    name: kit.displayName(event, traits),
    traitsText: kit.listed(traits, shown),
    propertiesText: kit.listed(kit.objectAt(event, 'properties'), []),
  });
}

/** `{{traits}}` and `{{properties}}` alone stand for readable lists. Longer paths give single values. */
const filled = (template: string, values: JsonObject, lengthMax: number) =>
  kit.fillTemplate(template.replace(/\{\{\s*(traits|properties)\s*\}\}/g, '{{$1Text}}'), values, lengthMax);
