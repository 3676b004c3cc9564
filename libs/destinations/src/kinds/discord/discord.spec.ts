import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import fc from 'fast-check';
import { ada } from '../../../test/events.fixtures.js';
import discord from './discord.js';

const webhookUrl = 'https://chat.example.com/hook';
const paid = { ...ada, type: 'track', event: 'Paid', properties: { plan: 'pro', deep: { a: 1 } } };
const named = { ...ada, type: 'identify', traits: { name: 'Ada', plan: 'pro', city: 'Turin' } };
const bodyOf = (event: JsonObject, config: JsonObject = {}) =>
  discord.transform(event, { webhookUrl, ...config })[0]?.body.JSON;

describe('a Discord message', () => {
  it('says what happened, with all properties', () => {
    expect(discord.transform(paid, { webhookUrl })).toMatchObject([{ method: 'POST', endpoint: webhookUrl }]);
    expect(bodyOf(paid)).toEqual({ content: 'User ada did Paid with plan: pro deep: {"a":1} ' });
  });

  it('shows the traits that may be shown', () => {
    const whitelistedTraitsSettings = [{ trait: 'plan' }, { trait: '' }];
    expect(bodyOf(named, { whitelistedTraitsSettings })).toEqual({ content: 'Identified Ada with plan: pro ' });
  });

  it('has the template of its event, by name or pattern, with values filled in once', () => {
    const eventTemplateSettings = [
      { eventName: '^Ref', eventRegex: true, eventTemplate: 'another event' },
      { eventName: '^Pa', eventRegex: true, eventTemplate: '{{ event }}: {{properties.deep.a}} {{properties.text}}' },
    ];
    const event = { ...paid, properties: { deep: { a: 1 }, text: '{{userId}}' } };
    expect(bodyOf(event, { eventTemplateSettings })).toEqual({ content: 'Paid: 1 {{userId}}' });
  });

  it('has an embed when asked', () => {
    const config = { embedFlag: true, embedTitleTemplate: 'By {{name}}', embedDescriptionTemplate: '{{traits.city}}' };
    expect(bodyOf(named, config)).toMatchObject({ embeds: [{ title: 'By Ada', description: 'Turin' }] });
    expect(bodyOf(paid, { embedFlag: true })).toMatchObject({ embeds: [{ description: 'Track call made' }] });
  });

  it.each(['@everyone', '@here', '<@123>', '<@!123>', '<@&123>', 'x@Everyone'])(
    'notifies nobody because of %s in an event',
    (mention) => {
      const event = { ...paid, properties: { plan: `hello ${mention}` } };
      expect(bodyOf(event)).toEqual({ content: expect.stringContaining(mention), allowed_mentions: { parse: [] } });
      expect(bodyOf({ ...paid, event: mention })).toHaveProperty('allowed_mentions', { parse: [] });
      expect(bodyOf(event, { allowMentions: true })).not.toHaveProperty('allowed_mentions');
    },
  );

  it.each(['@everyone', '@here', '<@123>', '<@!123>', '<@&123>'])(
    'notifies nobody because of %s in an embed',
    (mention) => {
      const event = { ...named, traits: { name: mention } };
      const config = { embedFlag: true, identifyTemplate: 'new' };
      for (const place of ['embedTitleTemplate', 'embedDescriptionTemplate']) {
        expect(bodyOf(event, { ...config, [place]: '{{name}}' })).toHaveProperty('allowed_mentions', { parse: [] });
      }
      expect(bodyOf(event, { ...config, embedTitleTemplate: '{{name}}', allowMentions: true })).not.toHaveProperty(
        'allowed_mentions',
      );
    },
  );

  it('notifies nobody, wherever in an event a mention is made and however it is put together', () => {
    const piece = fc.constantFrom('@', '<', '!', '&', '>', 'everyone', 'here', '1', ' ', '{{userId}}', '\u200b', 'x');
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const sayable = /@everyone|@here|<@[!&]?\d+>/;
    const identifyTemplate = '{{userId}}{{traits.a}}@{{traits.b}}<{{traits.c}}';
    fc.assert(
      fc.property(text, text, text, text, (userId, a, b, c) => {
        const body = bodyOf({ ...named, userId, traits: { a, b, c } }, { identifyTemplate });
        if (sayable.test(String(body?.['content']))) expect(body).toHaveProperty('allowed_mentions', { parse: [] });
      }),
      { numRuns: 2_000 },
    );
  });

  it('is no longer than Discord takes', () => {
    expect(String(bodyOf(named, { identifyTemplate: 'x'.repeat(2_001) })?.['content'])).toHaveLength(2_000);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ ...ada, type: 'page' }, { webhookUrl }, 'Event type page is not supported'],
    [{ ...paid, event: '' }, { webhookUrl }, 'Event name is required'],
    [paid, {}, 'webhookUrl is required'],
    [
      paid,
      { webhookUrl, eventTemplateSettings: [{ eventName: 'Paid', eventTemplate: '{{traits.none}} ' }] },
      'makes an empty message',
    ],
    [paid, { webhookUrl: 'ftp://chat.example.com' }, 'webhookUrl must be an address'],
  ])('is refused: %j %j', (event, config, message) => {
    expect(() => discord.transform(event, config)).toThrow(message);
  });
});
