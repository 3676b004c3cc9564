import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow } from '../../../test/sources.fixtures.js';
import { EMAIL, FIRST_NAME, FULL_NAME, KNOWN_USER_ID, trait } from '../../toolkit/index.js';
import clevertap from './clevertap.js';

const CONFIG = { accountId: 'a', passcode: 'p', trackAnonymous: true };
const identify = { type: 'identify', anonymousId: 'anon-1' };
const track = { type: 'track', event: 'Paid', anonymousId: 'anon-1' };
const NAMES = ['event', 'properties.event', 'name', 'properties.name'];
const both = (text: string) => `${text} King`;

describe('a field of CleverTap', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    [identify, 'identity', KNOWN_USER_ID, asItIs],
    [identify, 'profileData.Email', EMAIL, asItIs],
    [identify, 'profileData.Name', FULL_NAME, asItIs],
    [{ ...identify, traits: { lastName: 'King' } }, 'profileData.Name', FIRST_NAME, both],
    [identify, 'profileData.Phone', trait('phone'), asItIs],
    [identify, 'profileData.Employed', trait('employed'), asItIs],
    [identify, 'profileData.DOB', trait('birthday'), asItIs],
    [identify, 'profileData.Education', trait('education'), asItIs],
    [identify, 'profileData.Married', trait('married'), asItIs],
    [identify, 'profileData.Customer Type', trait('customerType'), asItIs],
    [identify, 'profileData.Photo', trait('avatar'), asItIs],
    [identify, 'profileData.own', ['context.traits.own', 'traits.own'], asItIs],
    [track, 'identity', [...KNOWN_USER_ID, 'anonymousId'], asItIs],
    [track, 'evtName', ['event'], asItIs],
    [{ ...track, type: 'page', event: '' }, 'evtName', NAMES, (name) => `Web Page Viewed: ${name}`],
    [{ ...track, type: 'screen', event: '' }, 'evtName', NAMES, (name) => `Screen Viewed: ${name}`],
    [{ ...track, event: 'Order Completed' }, 'evtData.Charged ID', ['properties.checkout_id'], asItIs],
    [{ ...track, event: 'Order Completed' }, 'evtData.Amount', ['properties.revenue'], asItIs],
    [{ type: 'alias', previousId: 'p' }, 'profileData.identity', ['userId'], asItIs],
    [{ type: 'alias', userId: 'u' }, 'identity', ['previousId'], asItIs],
  ])('of %j, %s, is read from %j', (event, key, ...row) => {
    expectSources(bodyWith(clevertap, CONFIG, event), [`d.0.${key}`, ...row]);
  });
});
