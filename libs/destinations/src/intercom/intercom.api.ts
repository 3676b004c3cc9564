import type { JsonObject } from '@weir/contracts';

const HOSTS = new Map<unknown, string>([
  ['eu', 'api.eu.intercom.io'],
  ['au', 'api.au.intercom.io'],
]);
export const API_VERSION = '2.10';

/** Of the region in which the workspace is. */
export const originOf = ({ apiServer }: JsonObject) => `https://${HOSTS.get(apiServer) ?? 'api.intercom.io'}`;
