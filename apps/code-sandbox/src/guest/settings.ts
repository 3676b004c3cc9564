import { newList, PlainTypeError, parse } from './primordials.js';

/** Settings of a run. The host passes them as JSON before user code is loaded. */
export interface Settings {
  action: 'run' | 'check-transformation' | 'check-library';
  /** The events are only part of a batch. `transformBatch` must not see them because it needs the whole batch. */
  isPartial: boolean;
  collectLogs: boolean;
  logChars: number;
  errorChars: number;
  resultChars: number;
  /** Source of randomness, in hexadecimal. The host keeps it secret and uses it for this run only. */
  seed: string;
  credentials: { key: string; value: string }[];
  /** Credential values to mask in what people read, longest first. */
  secrets: string[];
  allowFetch: boolean;
  fetchesMax: number;
  /** Size limit of one call, as JSON. */
  fetchBytes: number;
  straysMax: number;
}

export let settings: Settings = {
  action: 'run',
  isPartial: false,
  collectLogs: false,
  logChars: 0,
  errorChars: 0,
  resultChars: 0,
  seed: '',
  credentials: newList(),
  secrets: newList(),
  allowFetch: false,
  fetchesMax: 0,
  fetchBytes: 0,
  straysMax: 0,
};

export function readSettings(json: string): void {
  settings = parse(json) as Settings;
}

/** Returns the value of a workspace credential, or undefined. */
export function getCredential(key: unknown): string | undefined {
  if (key === null || key === undefined) throw new PlainTypeError('Key should be valid and defined');
  const { credentials } = settings;
  for (let index = 0; index < credentials.length; index += 1) {
    if (credentials[index]?.key === key) return credentials[index]?.value;
  }
  return undefined;
}
