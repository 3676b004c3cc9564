import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import { asText, displayName, fillTemplate, traitsText } from './slack.text.js';

const IDENTIFY_TEMPLATE = 'Identified {{name}}{{traits}}';
const TRACK_TEMPLATE = '{{name}} did {{event}}';
/** A pattern of a configuration is matched against this much of an event's name. */
const NAME_LENGTH_MAX = 256;

/** An event as a message of an incoming webhook: the form field `payload` with the text (Slack's own documentation). */
export function slackTransform(event: JsonObject, config: JsonObject): Payload[] {
  if (event['type'] === 'identify') return [messageOf(event, config, templateOf(config['identifyTemplate']), {})];
  if (event['type'] !== 'track') throw new AppError('invalid', `Event type ${asText(event['type'])} is not supported`);
  const name = asText(event['event']);
  if (name === '') throw new AppError('invalid', 'Event name is required');
  if (settings(config, 'denyListOfEvents').some(({ eventName }) => asText(eventName).trim() === name)) return [];
  const template = settings(config, 'eventTemplateSettings').find((setting) => isFor(setting, name))?.['eventTemplate'];
  const channel = settings(config, 'eventChannelSettings').find((setting) => isFor(setting, name)) ?? {};
  return [messageOf(event, config, asText(template) || TRACK_TEMPLATE, channel)];
}

function messageOf(event: JsonObject, config: JsonObject, template: string, channel: JsonObject): Payload {
  const endpoint = asText(channel['eventChannelWebhook']) || asText(config['webhookUrl']);
  if (!/^https?:\/\//.test(endpoint)) throw new AppError('invalid', 'webhookUrl is required');
  const traits = traitsOf(event);
  const shown = settings(config, 'whitelistedTraitsSettings').map(({ trait }) => asText(trait).trim());
  const values = {
    ...traits,
    ...event,
    name: displayName(event, traits),
    traits: traitsText(traits, shown.filter(Boolean)),
  };
  const text = fillTemplate(template, values);
  const name = asText(channel['eventChannel']);
  const [username, icon_url] = [asText(config['username']), asText(config['iconUrl'])];
  const message = {
    ...(name !== '' && { channel: name }),
    text,
    ...(username !== '' && { username }),
    ...(icon_url !== '' && { icon_url }),
  };
  return restPayload({
    method: 'POST',
    endpoint,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: { FORM: { payload: JSON.stringify(message) } },
    userId: asText(event['userId'] ?? event['anonymousId']),
  });
}

const templateOf = (template: unknown) => asText(template) || IDENTIFY_TEMPLATE;

function traitsOf(event: JsonObject): JsonObject {
  const context = isJsonObject(event['context']) ? event['context'] : {};
  const traits = event['traits'] ?? context['traits'];
  return isJsonObject(traits) ? traits : {};
}

function settings(config: JsonObject, key: string): JsonObject[] {
  const value = config[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** By name, or by pattern; a pattern that is none fits nothing. */
export function isFor({ eventName, eventRegex }: JsonObject, name: string): boolean {
  const wanted = asText(eventName);
  if (wanted === '') return false;
  if (eventRegex !== true) return wanted === name;
  try {
    return new RegExp(wanted).test(name.slice(0, NAME_LENGTH_MAX));
  } catch {
    return false;
  }
}
