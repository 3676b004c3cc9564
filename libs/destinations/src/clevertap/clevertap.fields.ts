import { type Mapping, oneOf } from '../toolkit/index.js';

/** Standard profile properties of CleverTap, from the traits: https://developer.clevertap.com/docs/upload-user-profiles-api */
export const PROFILE: Mapping = {
  Email: 'email',
  Phone: 'phone',
  Gender: { from: 'gender', as: oneOf({ m: 'M', male: 'M', man: 'M', f: 'F', female: 'F', woman: 'F' }) },
  Employed: 'employed',
  DOB: 'birthday',
  Education: 'education',
  Married: 'married',
  'Customer Type': 'customerType',
  Photo: 'avatar',
};
/** Traits that are read as profile properties, as names or as identifiers. */
export const READ_TRAITS = [
  ...['email', 'phone', 'gender', 'employed', 'birthday', 'education', 'married', 'customerType', 'avatar', 'name'],
  ...['firstName', 'firstname', 'first_name', 'lastName', 'lastname', 'last_name', 'ts', 'id', 'userId', 'anonymousId'],
];
/** CleverTap's event for an order is `Charged`. */
export const CHARGED: Mapping = { 'Charged ID': 'checkout_id', Amount: 'revenue', Items: 'products' };
export const TOKEN_TYPES = ['apns', 'fcm', 'wns', 'mpns', 'chrome', 'firefox', 'safari', 'xps', 'bps', 'hps'];
