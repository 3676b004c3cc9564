import { anything, choice, decidesHost, flag, listOf, secret, text, vendorDefinition } from '../toolkit/index.js';

export const appsflyerDefinition = vendorDefinition({
  name: 'AF',
  displayName: 'AppsFlyer',
  messageTypes: ['track', 'screen', 'page'],
  config: {
    authVersion: decidesHost(choice(['v1', 'v2'], 'v2: with an S2S key, for new destinations; v1: with the dev key')),
    s2sKey: secret('For v2'),
    devKey: secret('For v1'),
    androidAppId: text('Package name of the Android app'),
    appleAppId: text('Number of the iOS app'),
    sharingFilter: anything('Partners that do not get the events: a list of names, or `all`'),
    useRichEventName: flag('Name pages and screens in the event, such as Viewed Home Page'),
    addPropertiesAtRoot: flag('Put properties beside the af_ ones, not under `properties`'),
    listOfProps: listOf(['property'], 'Properties to put beside the af_ ones'),
    afCurrencyAtRoot: flag('Repeat the currency as af_currency'),
    apiToken: secret('API token (V2.0), for deletion'),
    statusCallbackUrls: text('Up to three addresses, by comma, that AppsFlyer tells about the progress of deletions'),
  },
});
