import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow } from '../../../test/sources.fixtures.js';
import { EMAIL, FIRST_NAME, FULL_NAME, LAST_NAME, PHONE, trait, ZIP } from '../../toolkit/index.js';
import sendgrid from './sendgrid.js';

const CONFIG = { apiKey: 'k', fromEmail: 'shop@b.c', mailFromTraits: true, eventNamesSettings: [{ event: 'Paid' }] };
const identify = { type: 'identify', context: {}, traits: {}, properties: { email: 'a@b.c' } };
const track = {
  type: 'track',
  event: 'Paid',
  properties: { templateId: 't' },
  context: { traits: { email: 'a@b.c' } },
};

describe('a field of SendGrid', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    [{ type: 'identify' }, 'contactDetails.email', EMAIL, asItIs],
    [identify, 'contactDetails.phone_number', PHONE, asItIs],
    [identify, 'contactDetails.first_name', FIRST_NAME, asItIs],
    [identify, 'contactDetails.last_name', LAST_NAME, asItIs],
    [identify, 'contactDetails.unique_name', FULL_NAME, asItIs],
    [identify, 'contactDetails.address_line_1', trait('address'), asItIs],
    [identify, 'contactDetails.city', trait('address.city'), asItIs],
    [identify, 'contactDetails.state_province_region', trait('region'), asItIs],
    [identify, 'contactDetails.country', trait('country'), asItIs],
    [identify, 'contactDetails.postal_code', ZIP, asItIs],
    [identify, 'contactDetails.whatsapp', trait('whatsappNumber'), asItIs],
    [identify, 'contactDetails.facebook', trait('facebookUrl'), asItIs],
    [{ ...track, context: {} }, 'personalizations.0.to.0.email', trait('email'), asItIs],
    [track, 'subject', ['properties.subject'], asItIs],
    [track, 'template_id', ['properties.templateId'], asItIs],
    [track, 'batch_id', ['properties.batchId'], asItIs],
    [track, 'from.email', ['properties.from.email'], asItIs],
    [track, 'reply_to.email', ['properties.replyTo.email'], asItIs],
  ])('of %j, %s, is read from %j', (event, ...row) => {
    expectSources(bodyWith(sendgrid, CONFIG, event), row);
  });
});
