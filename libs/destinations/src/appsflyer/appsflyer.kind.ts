import { apiKind } from '../api/api-kind.js';
import { appsflyerDeletion } from './appsflyer.delete.js';

export const appsflyer = apiKind({
  name: 'AF',
  displayName: 'AppsFlyer',
  keys: {
    apiToken: 'API token (V2.0), for deletion',
    appleAppId: 'Number of the iOS app',
    androidAppId: 'Package name of the Android app',
    statusCallbackUrls: 'Up to three addresses, by comma, that AppsFlyer tells about the progress of deletions',
  },
  secretKeys: ['apiToken'],
  deletion: appsflyerDeletion,
});
