import type { JsonObject } from '@weir/contracts';

const HOSTS = new Map<unknown, string>([
  ['eu', 'api.eu.intercom.io'],
  ['au', 'api.au.intercom.io'],
]);
export const API_VERSION = '2.10';

/** The API address of the workspace's region. */
export const originOf = ({ apiServer }: JsonObject) => `https://${HOSTS.get(apiServer) ?? 'api.intercom.io'}`;
