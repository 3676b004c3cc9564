import type { DestinationDefinition } from '@weir/contracts';
import { objectOf } from './object-of.js';

const SOURCE_TYPES = [
  'android',
  'androidKotlin',
  'ios',
  'iosSwift',
  'web',
  'unity',
  'amp',
  'cloud',
  'warehouse',
  'reactnative',
  'flutter',
  'cordova',
  'shopify',
];

export interface CloudConfig {
  /** Keys of the configuration, in the order of the definition. */
  keys: string[];
  secretKeys?: string[];
  addressKeys?: string[];
  messageTypes?: string[];
  transformAtV1: 'processor' | 'router' | 'none';
}

/** The `config` of a definition for a kind that accepts events of every source type, always through Weir's servers. */
export function cloudConfig(options: CloudConfig): DestinationDefinition['config'] {
  const { keys, secretKeys = [], addressKeys = [], messageTypes, transformAtV1 } = options;
  return {
    destConfig: { defaultConfig: keys },
    secretKeys,
    addressKeys,
    supportedSourceTypes: SOURCE_TYPES,
    supportedConnectionModes: objectOf(SOURCE_TYPES.map((type) => [type, ['cloud']])),
    supportedMessageTypes: messageTypes ? { cloud: messageTypes } : {},
    transformAtV1,
  };
}
