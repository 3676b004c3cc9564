import type { DestinationKind } from '../kind.js';
import { appsflyerDefinition } from './appsflyer.definition.js';
import { appsflyerDeletion } from './appsflyer.delete.js';
import { appsflyerTransform } from './appsflyer.transform.js';

export const appsflyer: DestinationKind = {
  definition: appsflyerDefinition,
  transform: appsflyerTransform,

  ...appsflyerDeletion,
};
