import { address, eventPatterns, flag, listOf, text, vendorDefinition } from '../toolkit/index.js';

/** Templates per event, for track events. */
export const DISCORD_PATTERNS = eventPatterns('eventTemplateSettings');

export const discordDefinition = vendorDefinition({
  name: 'DISCORD',
  displayName: 'Discord',
  messageTypes: ['identify', 'track'],
  patterns: DISCORD_PATTERNS,
  config: {
    identifyTemplate: text('Text with {{name}}, {{traits}} and {{any.path}}'),
    embedTitleTemplate: text('Title of the embed'),
    embedDescriptionTemplate: text('Text of the embed'),
    embedFlag: flag('Messages have an embed too'),
    eventTemplateSettings: listOf(
      ['eventName', 'eventRegex', 'eventTemplate'],
      'Template by event, by name or pattern',
    ),
    // Anyone with the address of a webhook can post to it.
    webhookUrl: { ...address('Webhook of the channel'), isSecret: true },
    allowMentions: flag('Messages notify whom they mention: @everyone, @here, people and roles'),
    whitelistedTraitsSettings: listOf(['trait'], 'Traits that messages may show; all when empty'),
  },
});
