import { newList, parse } from './primordials.js';

/** What the host says about a run. It comes as JSON before user code is loaded. */
export interface Settings {
  kind: 'run' | 'check-transformation' | 'check-library';
  /** Some events of a batch only: not for `transformBatch`, which has to see all of them. */
  isPart: boolean;
  collectLogs: boolean;
  logChars: number;
  errorChars: number;
  resultChars: number;
  /** Secret of the host and of this run alone, as hexadecimal: where randomness comes from. */
  seed: string;
  credentials: { key: string; value: string }[];
  /** Their values as far as they are hidden in what people read, the longest first. */
  secrets: string[];
  allowFetch: boolean;
  fetchesMax: number;
  /** Of one call, as JSON. */
  fetchBytes: number;
  straysMax: number;
}

export let settings: Settings = {
  kind: 'run',
  isPart: false,
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
