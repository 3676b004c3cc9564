import { type Conversion, type Mapping, oneOf, toDate } from '../toolkit/index.js';

const gender: Conversion = oneOf({
  ...{ f: 'F', female: 'F', woman: 'F', w: 'F', m: 'M', male: 'M', man: 'M' },
  ...{ o: 'O', other: 'O', n: 'N', 'not applicable': 'N', p: 'P', 'prefer not to say': 'P' },
});

/** Attributes with their own names at Braze, https://www.braze.com/docs/api/objects_filters/user_attributes_object */
export const ATTRIBUTES: Mapping = {
  first_name: 'firstName',
  last_name: 'lastName',
  gender: { from: 'gender', as: gender },
  dob: { from: 'birthday', as: toDate },
  image_url: 'avatar',
  country: ['country', 'address.country'],
  home_city: 'address.city',
};
/** Traits that the table reads or that are not attributes. */
export const READ_TRAITS = [
  ...['firstName', 'lastName', 'gender', 'birthday', 'avatar', 'country', 'address'],
  ...['userId', 'anonymousId', 'id', 'external_id', 'mergeObjectsUpdateOperation'],
];

/** Names that Braze reserves in events and in purchases. */
export const RESERVED_IN_EVENTS = ['time', 'event_name'];
export const RESERVED_IN_PURCHASES = ['time', 'event_name', 'product_id', 'sku', 'quantity', 'price', 'currency'];
