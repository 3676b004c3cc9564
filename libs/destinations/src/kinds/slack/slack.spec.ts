import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { SENDER } from '../../toolkit/index.js';
import slack from './slack.js';

/** A configuration without a sender name and icon. */
const config = { webhookUrl: 'https://hooks.example.com/a', username: '', iconUrl: '' };
const track = (more: JsonObject = {}) => ({ type: 'track', event: 'Order Done', userId: 'ada', ...more });
const identify = (traits: JsonObject) => ({ type: 'identify', userId: 'ada', traits });

function messageOf(event: JsonObject, more: JsonObject = {}): JsonObject {
  const [payload] = slack.transform(event, { ...config, ...more });
  return JSON.parse(String(payload?.body.FORM['payload']));
}

describe('a Slack message', () => {
  it('is one field of a form', () => {
    const [payload, ...more] = slack.transform(track(), config);
    expect(more).toEqual([]);
    expect(payload).toMatchObject({
      method: 'POST',
      endpoint: 'https://hooks.example.com/a',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { FORM: { payload: '{"text":"User ada did Order Done"}' }, JSON: {} },
      userId: 'ada',
    });
  });

  it('keeps the order of a user who has only an anonymous id, and tells of one who has none', () => {
    const [anonymous] = slack.transform(track({ userId: undefined, anonymousId: 'x' }), config);
    expect([anonymous?.userId, messageOf(track({ userId: '', anonymousId: 'x' }))['text']]).toEqual([
      ...['x', 'Anonymous user x did Order Done'],
    ]);
    expect(slack.transform(track({ userId: undefined }), config)[0]?.userId).toBe('');
  });

  it.each([
    [{ name: 'Ada' }, 'Ada'],
    [{ firstName: 'Ada', lastName: 'King' }, 'Ada King'],
    [{ email: 'ada@example.com' }, 'ada@example.com'],
    [{}, 'User ada'],
  ])('calls the user with traits %j %s', (traits, name) => {
    expect(messageOf(identify(traits), { identifyTemplate: '{{name}}' })).toEqual({ text: name });
  });

  it('shows the traits that may be shown, in their order', () => {
    const whitelistedTraitsSettings = [{ trait: 'city' }, { trait: 'plan' }, { trait: '' }];
    const event = identify({ plan: 'pro', email: 'a@example.com', city: 'Turin', name: 'Ada' });
    expect(messageOf(event, { whitelistedTraitsSettings })).toEqual({ text: 'Identified Adacity: Turin plan: pro ' });
  });

  it('fills a template with values, new lines and nothing else', () => {
    const eventTemplate =
      '{{event}}:{{newline}}{{properties.total}}{{ properties.none }}{{constructor.name}} {{properties.lines}}';
    const event = track({ properties: { total: 7, lines: [1] } });
    const eventTemplateSettings = [{ eventName: 'Order Done', eventTemplate }];
    expect(messageOf(event, { eventTemplateSettings })).toEqual({ text: 'Order Done:\n7 [1]' });
  });

  it('names properties and traits as templates of other senders do', () => {
    const eventTemplate = '{{total}} {{plan}} {{name}} {{event}} {{traitsList.plan}} {{propertiesList}}';
    const properties = { total: 7, name: 'Lamp', event: 'none' };
    const event = track({ properties, context: { traits: { name: 'Ada', plan: 'pro', total: 1 } } });
    expect(messageOf(event, { eventTemplateSettings: [{ eventName: 'Order Done', eventTemplate }] })).toEqual({
      text: '7 pro Ada Order Done pro {"total":7,"name":"Lamp","event":"none"}',
    });
    const page = { ...identify({ title: 'Countess' }), properties: { title: '' } };
    expect(messageOf(page, { identifyTemplate: '{{title}}' })).toEqual({ text: 'Countess' });
  });

  it.each([
    '<!channel>',
    '<!here>',
    '<!everyone>',
    '<@U024BE7LH>',
    '<!subteam^S1>',
    '<#C024BE7LR>',
    '<https://a.example|b>',
  ])('rings nobody and links nowhere because of %s in an event', (mention) => {
    const shown = mention.replace('<', '&lt;').replace('>', '&gt;');
    const events = [
      track({ event: mention }),
      track({ userId: mention }),
      track({ properties: { a: { b: [mention] } }, [mention]: mention }),
      { ...identify({ name: mention, [mention]: mention, list: [{ [mention]: mention }] }), userId: mention },
    ];
    const template =
      '{{name}} {{event}} {{userId}} {{properties}} {{traits}} {{traits.name}} {{list}} {{{properties.a.b}}}';
    const config = {
      identifyTemplate: template,
      eventTemplateSettings: [{ eventName: '.', eventRegex: true, eventTemplate: template }],
    };
    for (const event of events) {
      for (const more of [{}, config]) {
        const text = String(messageOf(event, more)['text']);
        expect(text).not.toMatch(/[<>]/);
        if (event !== events[2]) expect(text).toContain(shown);
      }
    }
  });

  it('shows text as it was meant, and rings as its own template says', () => {
    expect(messageOf(identify({ name: 'A & B <&lt;>' }), { identifyTemplate: '<!here> {{name}}' })).toEqual({
      text: '<!here> A &amp; B &lt;&amp;lt;&gt;',
    });
  });

  it.each(['!channel', '@U024BE7LH', '#C024BE7LR'])('makes no mention of %s where a template makes a link', (value) => {
    const textOf = (identifyTemplate: string, traits: JsonObject) =>
      messageOf(identify(traits), { identifyTemplate })['text'];
    expect(textOf('<{{url}}|more>', { url: value })).toBe(`< ${value}|more>`);
    expect(textOf('<{{none}}{{url}}>', { url: value })).toBe(`< ${value}>`);
    expect(textOf('<{{url}}|more>', { url: 'https://a.example/?b&c' })).toBe('<https://a.example/?b&amp;c|more>');
    expect(textOf('<!here> {{url}}', { url: value })).toBe(`<!here> ${value}`);
  });

  it('goes to the channel of its event, by name or pattern', () => {
    const eventChannelSettings = [
      { eventName: '^Sign', eventRegex: true, eventChannelWebhook: 'https://hooks.example.com/signs' },
      { eventName: '^Order', eventRegex: true, eventChannelWebhook: 'https://hooks.example.com/orders' },
      { eventName: 'Login', eventRegex: false, eventChannel: '#logins' },
    ];
    expect(slack.transform(track(), { ...config, eventChannelSettings })[0]?.endpoint).toBe(
      'https://hooks.example.com/orders',
    );
    expect(messageOf(track({ event: 'Login' }), { eventChannelSettings })).toMatchObject({ channel: '#logins' });
  });

  it('has the sender that is configured, or else the usual one', () => {
    const sender = { username: 'Shop', iconUrl: 'https://shop.example.com/i.png' };
    expect(messageOf(track(), sender)).toMatchObject({ username: 'Shop', icon_url: 'https://shop.example.com/i.png' });
    const usual = { username: SENDER.name, icon_url: SENDER.iconUrl };
    expect(messageOf(track(), { username: undefined, iconUrl: undefined })).toMatchObject(usual);
  });

  it('is not sent for events on the deny list', () => {
    expect(slack.transform(track(), { ...config, denyListOfEvents: [{ eventName: 'Order Done' }] })).toEqual([]);
  });

  it.each([
    [{ type: 'page' }, config, 'Event type page is not supported'],
    [track({ event: '' }), config, 'Event name is required'],
    [track(), {}, 'webhookUrl is required'],
  ])('is refused for %j', (event, wrong, message) => {
    expect(() => slack.transform(event, wrong)).toThrow(expect.objectContaining({ code: 'invalid', message }));
  });
});
