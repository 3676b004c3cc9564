import { sharedStack } from '@weir/local';
import { basic } from '@weir/testing';
import { newTransformation } from '../support/code.js';
import { newSource, newWebhook } from '../support/inventory.js';
import { newWorkspace, UNKNOWN_ID, UNKNOWN_UUID } from '../support/workspace.js';
import type { As } from './case.js';

/** A workspace with one object of each kind, for requests to name. */
export async function places() {
  const own = await newWorkspace();
  const source = await newSource(own.writer);
  const disabled = await newSource(own.writer, { enabled: false });
  const destination = await newWebhook(own.writer, 'https://hooks.example.com/in');
  const transformation = await newTransformation(own.writer);
  const { admin } = sharedStack();
  const credentials: Partial<Record<As, string>> = {
    admin: `Bearer ${own.tokens.admin}`,
    writer: `Bearer ${own.tokens['read-write']}`,
    reader: `Bearer ${own.tokens['read-only']}`,
    operator: basic(admin.user, admin.password),
    source: basic(source.writeKey, ''),
    disabled: basic(disabled.writeKey, ''),
  };
  const named: Record<string, string> = {
    workspace: own.id,
    source: source.id,
    writeKey: source.writeKey,
    destination: destination.id,
    transformation: transformation.id,
    unknown: UNKNOWN_ID,
    uuid: UNKNOWN_UUID,
  };
  return {
    /** Undefined for nobody. */
    authorizationOf: (as: As): string | undefined => (as === 'nobody' ? undefined : (credentials[as] ?? as)),
    /** Replaces the names in braces. */
    filled: (line: string): string => line.replace(/\{(\w+)\}/g, (whole, name: string) => named[name] ?? whole),
  };
}
