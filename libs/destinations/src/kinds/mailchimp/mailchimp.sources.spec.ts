import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { EMAIL, FIRST_NAME, LAST_NAME, PHONE } from '../../toolkit/index.js';
import mailchimp from './mailchimp.js';

const CONFIG = { apiKey: 'k', audienceId: 'a', datacenterId: 'us6', enableMergeFields: true };
const ADDRESS = { addr1: 's', city: 'c', state: 't', zip: 'z' };
const identify = { type: 'identify', traits: {}, context: {}, properties: { email: 'a@b.c' } };
const withAddress = { ...identify, context: { traits: { merge_fields: { ADDRESS } } } };
const of = (trait: string, key: string) =>
  ['traits', 'context.traits'].flatMap((base) => [
    ...[`${base}.${trait}`, `${base}.address.${trait}`, `${base}.merge_fields.ADDRESS.${key}`],
  ]);

describe('a field of Mailchimp', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    [{ ...identify, properties: {} }, 'email_address', [...EMAIL, 'context.externalId.0.id'], asItIs],
    [identify, 'merge_fields.FNAME', FIRST_NAME, asItIs],
    [identify, 'merge_fields.LNAME', LAST_NAME, asItIs],
    [identify, 'merge_fields.PHONE', PHONE, asItIs],
    [withAddress, 'merge_fields.ADDRESS.addr1', of('addressLine1', 'addr1'), asItIs],
    [withAddress, 'merge_fields.ADDRESS.addr2', of('addressLine2', 'addr2'), asItIs],
    [withAddress, 'merge_fields.ADDRESS.city', of('city', 'city'), asItIs],
    [withAddress, 'merge_fields.ADDRESS.state', of('state', 'state'), asItIs],
    [withAddress, 'merge_fields.ADDRESS.zip', of('zip', 'zip'), asItIs],
    [withAddress, 'merge_fields.ADDRESS.country', of('country', 'country'), asItIs],
    [{ ...identify, traits: undefined }, 'merge_fields.PLAN', ['traits.plan', 'context.traits.plan'], asItIs],
  ])('of %j, %s, is read from %j', (event, ...row) => {
    expectSources(bodyWith(mailchimp, CONFIG, event), row);
  });

  it('is the audience in the address', () => {
    const audienceWith = (values: JsonObject) => {
      const [payload] = mailchimp.transform(withValues(identify, values), CONFIG);
      return { id: decodeURIComponent(payload?.endpoint.split('/')[5] ?? '') };
    };
    expectSources(audienceWith, ['id', ['integrations.MailChimp.listId', 'context.MailChimp.listId'], asItIs]);
  });
});
