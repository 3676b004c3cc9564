/** What the host says about a run. It comes as JSON before user code is loaded. */
export interface Settings {
  collectLogs: boolean;
  logChars: number;
  errorChars: number;
  resultChars: number;
  /** Secret of the host and of this run alone, as hexadecimal: where randomness comes from. */
  seed: string;
  credentials: { key: string; value: string }[];
  allowFetch: boolean;
  fetchesMax: number;
}

export const { parse, stringify } = JSON;

export let settings: Settings = {
  collectLogs: false,
  logChars: 0,
  errorChars: 0,
  resultChars: 0,
  seed: '',
  credentials: [],
  allowFetch: false,
  fetchesMax: 0,
};

export function readSettings(json: string): void {
  settings = parse(json) as Settings;
}
