import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow } from '../../../test/sources.fixtures.js';
import zendesk from './zendesk.js';

const CONFIG = { email: 'agent@b.c', apiToken: 't', domain: 'acme' };
const identify = { type: 'identify', userId: 'ada' };
const named = { ...identify, context: { traits: { name: 'Ada King' } } };
const track = { type: 'track', event: 'Paid', userId: 'ada' };
const group = { type: 'group', userId: 'ada', groupId: 'g', traits: { name: 'Weir' } };
const withName = { ...identify, traits: { name: 'Ada King' } };

describe('a field of Zendesk', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    [identify, 'user.name', ['traits.name', 'context.traits.name'], asItIs],
    [named, 'user.email', ['context.traits.email'], asItIs],
    [named, 'user.external_id', ['context.traits.userId', 'context.traits.id', 'userId'], asItIs],
    [withName, 'user.email', ['traits.email'], asItIs],
    [withName, 'user.phone', ['traits.phone'], asItIs],
    [withName, 'user.organization_id', ['traits.organizationId'], asItIs],
    [withName, 'user.time_zone', ['traits.timezone'], asItIs],
    [withName, 'user.external_id', ['traits.userId', 'traits.id', 'userId'], asItIs],
    [withName, 'user.user_fields.id', ['traits.userId', 'traits.id', 'userId'], asItIs],
    [track, 'profile.identifiers.0.value', ['traits.email', 'context.traits.email'], asItIs],
    [{ ...track, traits: { email: 'a@b.c' } }, 'event.type', ['event'], asItIs],
    [group, 'organization.name', ['traits.name'], asItIs],
    [group, 'organization.external_id', ['groupId'], asItIs],
    [group, 'organization.domain_names', ['traits.domainNames'], asItIs],
    [group, 'organization.tags', ['traits.tags'], asItIs],
    [group, 'organization.url', ['traits.url'], asItIs],
    [group, 'organization.deleted', ['traits.deleted'], asItIs],
    [group, 'organization.organization_fields.plan', ['traits.plan'], asItIs],
  ])('of %j, %s, is read from %j', (event, ...row) => {
    expectSources(bodyWith(zendesk, CONFIG, event), row);
  });
});
