import { choice, decidesHost, flag, listOf, required, secret, text, vendorDefinition } from '../toolkit/index.js';

const TRAITS = ['traits'];

export const amplitudeDefinition = vendorDefinition({
  name: 'AM',
  displayName: 'Amplitude',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    apiKey: required(text('API key')),
    apiSecret: secret('Secret key, for deletion'),
    residencyServer: decidesHost(choice(['EU', 'standard'], 'Data residency')),
    groupTypeTrait: text('Trait of a group that holds its type'),
    groupValueTrait: text('Trait of a group that holds its value'),
    traitsToIncrement: listOf(TRAITS, 'Traits that are added to what is there'),
    traitsToSetOnce: listOf(TRAITS, 'Traits that are set once'),
    traitsToAppend: listOf(TRAITS, 'Traits that are appended'),
    traitsToPrepend: listOf(TRAITS, 'Traits that are prepended'),
    enableEnhancedUserOperations: flag(
      'Send the other traits as $set, so that operations do not stand beside plain keys',
    ),
    trackProductsOnce: flag('Keep the products of an order in its event'),
    trackRevenuePerProduct: flag('Count revenue by product, with an event for each'),
    mapDeviceBrand: flag('Take device_brand from context.device.brand'),
    useUserDefinedPageEventName: flag('Name page events by userProvidedPageEventString'),
    userProvidedPageEventString: text('Name of page events; {{ path }} is filled in from the event'),
    useUserDefinedScreenEventName: flag('Name screen events by userProvidedScreenEventString'),
    userProvidedScreenEventString: text('Name of screen events; {{ path }} is filled in from the event'),
  },
});
