import type { JsonObject } from '../project/json.js';

/** The result of user code for one event, in the form of a server. */
export type EventResult =
  | { status: 'ok'; outputs: JsonObject[] }
  | { status: 'dropped' }
  | { status: 'error'; error: UserError; position?: number };

export interface UserError {
  message: string;
  frame?: { file: string; line: number; column: number };
}

export type StrayError = UserError & { position?: number };
