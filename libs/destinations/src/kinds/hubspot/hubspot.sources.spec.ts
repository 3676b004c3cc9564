import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow } from '../../../test/sources.fixtures.js';
import { EMAIL, property, trait } from '../../toolkit/index.js';
import hubspot from './hubspot.js';

const CONFIG = {
  ...{ accessToken: 't', apiVersion: 'newApi', lookupField: 'own' },
  hubspotEvents: [{ rsEventName: 'Paid', hubspotEventName: 'pe1_paid', eventProperties: [{ from: 'a.b', to: 'c' }] }],
};
const identify = { type: 'identify', own: 'key' };
const track = { type: 'track', event: 'Paid', traits: {}, context: { traits: { utk: 'u' } } };
/** A trait of the event or its context, or a property. */
const anywhere = (...names: string[]) => [...trait(...names), ...property(...names)];
const address = (name: string) => anywhere(`address.${name}`);
const person = (...names: string[]) => [...trait(...names), ...property(names[1] ?? '')];

describe('a field of HubSpot', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    [identify, 'inputs.0.properties.phone', anywhere('phone'), asItIs],
    [identify, 'inputs.0.properties.email', anywhere('email'), asItIs],
    [identify, 'inputs.0.properties.firstname', person('firstName', 'firstname', 'first_name'), asItIs],
    [identify, 'inputs.0.properties.lastname', person('lastName', 'lastname', 'last_name'), asItIs],
    [identify, 'inputs.0.properties.city', address('city'), asItIs],
    [identify, 'inputs.0.properties.country', address('country'), asItIs],
    [identify, 'inputs.0.properties.state', address('state'), asItIs],
    [identify, 'inputs.0.properties.zip', address('postalcode'), asItIs],
    [identify, 'inputs.0.properties.company', anywhere('company.name'), asItIs],
    [{ type: 'identify' }, 'inputs.0.id', ['own', ...anywhere('own')], asItIs],
    [{ ...track, context: {} }, 'utk', anywhere('utk'), asItIs],
    [track, 'email', [...EMAIL, 'context.externalId.0.id'], asItIs],
    [track, 'objectId', anywhere('objectId'), asItIs],
    [track, 'properties.c', ['properties.a.b'], asItIs],
    [track, 'properties.hs_asset_description', property('assetDescription', 'hsAssetDescription'), asItIs],
    [track, 'properties.hs_asset_type', property('assetType', 'hsAssetType'), asItIs],
    [track, 'properties.hs_campaign_id', property('campaignId'), asItIs],
    [track, 'properties.hs_city', address('city'), asItIs],
    [track, 'properties.hs_country', address('country'), asItIs],
    [track, 'properties.hs_device_name', ['context.device.name'], asItIs],
    [track, 'properties.hs_element_class', property('elementClass', 'hsElementClass'), asItIs],
    [track, 'properties.hs_element_id', property('elementId', 'hsElementId'), asItIs],
  ])('of %j, %s, is read from %j', (event, ...row) => {
    expectSources(bodyWith(hubspot, CONFIG, event), row);
  });
});
