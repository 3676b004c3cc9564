import { type Api, uniqueName } from '@weir/testing';
import { made } from './workspace.js';

/** User code that passes every event on unchanged. */
export const KEEP = 'export function transformEvent(event) { return event; }';
/** User code that writes `key` into every event. */
export const marking = (key: string): string =>
  `export function transformEvent(event) { event.${key} = true; return event; }`;
/** User code that throws for every event. */
export const THROW = "export function transformEvent(event) { throw new Error('boom'); }";

export const newTransformation = (client: Api, code = KEEP, fields: object = {}, query = { publish: true }) =>
  client.post('/transformations', { name: uniqueName('transformation'), code, ...fields }, { query }).then(made);

export const newLibrary = (client: Api, code: string, fields: object = {}, query = { publish: true }) =>
  client.post('/libraries', { name: uniqueName('library'), code, ...fields }, { query }).then(made);
