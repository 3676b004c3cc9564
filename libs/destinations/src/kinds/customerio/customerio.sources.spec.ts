import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { EMAIL, KNOWN_USER_ID, trait } from '../../toolkit/index.js';
import customerio from './customerio.js';

const CONFIG = { siteID: 's', apiKey: 'k' };
const user = { userId: 'ada' };
const address = (name: string) => [`traits.address.${name}`, `context.traits.address.${name}`];
const MEMBER = [...KNOWN_USER_ID, 'context.traits.email', 'properties.email', 'context.externalId.0.id'];

describe('a field of Customer.io', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    ...['city', 'country', 'postalCode', 'state', 'street'].map((name): [JsonObject, ...SourcesRow] => [
      ...([{ ...user, type: 'identify' }, name, address(name), asItIs] as const),
    ]),
    [{ ...user, type: 'identify' }, 'plan', ['user_properties.plan', ...trait('plan')], asItIs],
    [{ ...user, type: 'identify' }, 'anonymous_id', ['anonymousId'], asItIs],
    [{ ...user, type: 'track' }, 'name', ['event'], asItIs],
    [{ ...user, type: 'page' }, 'name', ['name', 'properties.url'], asItIs],
    [{ ...user, type: 'screen' }, 'name', ['event', 'properties.name'], (name) => `Viewed ${name} Screen`],
    [{ type: 'track', event: 'e' }, 'anonymous_id', ['anonymousId'], asItIs],
    [{ type: 'group' }, 'identifiers.object_id', ['groupId', 'traits.groupId'], asItIs],
    [{ type: 'group', groupId: 'g' }, 'identifiers.object_type_id', ['traits.objectTypeId'], asItIs],
    [{ type: 'group', groupId: 'g' }, 'cio_relationships.0.identifiers.email', MEMBER, asItIs],
    [{ type: 'alias', previousId: 'p' }, 'primary.email', KNOWN_USER_ID, asItIs],
    [{ type: 'alias', ...user }, 'secondary.email', ['previousId'], asItIs],
  ])('of %j, %s, is read from %j', (event, ...row) => {
    expectSources(bodyWith(customerio, CONFIG, event), row);
  });

  it('is the person in the address', () => {
    const addressWith = (values: JsonObject) => {
      const [payload] = customerio.transform(withValues({ type: 'identify' }, values), CONFIG);
      return { id: decodeURIComponent(payload?.endpoint.split('/').at(-1) ?? '') };
    };
    expectSources(addressWith, ['id', [...KNOWN_USER_ID, ...EMAIL, 'context.externalId.0.id'], asItIs]);
  });
});
