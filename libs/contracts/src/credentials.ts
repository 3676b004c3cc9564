import { z } from 'zod';
import { defineCall } from './call.js';
import { Ksuid, Timestamp } from './ids.js';
import { by } from './regulation/audit.js';
import type { CodeBundle } from './sandbox.js';
import { Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const AT = '2026-01-01T00:00:00.000Z';

/** Credentials per workspace. Each run that may read them carries all of them. */
export const CREDENTIALS_MAX = 100;
/** Limit for all sealed values of a workspace together. They share one message with code and events. */
export const CREDENTIALS_BYTES_MAX = 65_536;

const Key = z.string().regex(/^[\w.-]{1,128}$/);

/** A credential that user code reads with `getCredential(key)`. Only a holder of the encryption key can open the value. */
export const StoredCredential = z.object({
  key: Key,
  /** The API never returns a secret value. It returns other values to callers who may read. */
  isSecret: z.boolean(),
  sealedValue: z.string(),
  createdBy: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type StoredCredential = z.output<typeof StoredCredential>;

const example = {
  ...{ key: 'crmToken', isSecret: true, sealedValue: 'v1.abcd.efgh', createdBy: 'a@example.com' },
  ...{ createdAt: AT, updatedAt: AT },
};

/** Creates or replaces a credential. `conflict` when the workspace has reached its limit. */
export const PutCredential = defineCall({
  subject: 'registry.credential.put.v1',
  request: z.object({
    workspaceId: Ksuid,
    createdBy: Text,
    key: Key,
    isSecret: z.boolean(),
    sealedValue: Text.max(CREDENTIALS_BYTES_MAX),
  }),
  reply: StoredCredential,
  deadlineMs: 5_000,
  example: {
    request: {
      ...{ workspaceId: WORKSPACE, createdBy: 'a@example.com', key: 'crmToken' },
      ...{ isSecret: true, sealedValue: 'v1.abcd.efgh' },
    },
    reply: example,
  },
});

/** Lists all credentials of a workspace, sorted by key. */
export const ListCredentials = defineCall({
  subject: 'registry.credential.list.v1',
  request: z.object({ workspaceId: Ksuid }),
  reply: z.object({ credentials: z.array(StoredCredential) }),
  deadlineMs: 2_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { credentials: [example] } },
});

export const DeleteCredential = defineCall({
  subject: 'registry.credential.delete.v1',
  request: z.object({ workspaceId: Ksuid, key: Key, ...by }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, key: 'crmToken' }, reply: {} },
});

/**
 * Replaces a sealed value by the same content under another key, unless the value has changed since. Nobody did anything, so
 * there is no act and no new time.
 */
export const ResealCredential = defineCall({
  subject: 'registry.credential.reseal.v1',
  request: z.object({
    workspaceId: Ksuid,
    key: Key,
    from: Text.max(CREDENTIALS_BYTES_MAX),
    to: Text.max(CREDENTIALS_BYTES_MAX),
  }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, key: 'crmToken', from: 'v1.abcd.efgh', to: 'v1.ijkl.mnop' },
    reply: {},
  },
});

/** Binds a sealed value to its workspace and key. It cannot be opened under any other. */
export const credentialAad = (workspaceId: string, key: string) => `credential/${workspaceId}/${key}`;

/** Whether the code mentions `getCredential`. Other code gets no secrets, and the caller saves the lookup. */
export const usesCredentials = ({ code, libraries }: CodeBundle): boolean =>
  [code, ...libraries.map((library) => library.code)].some((text) => text.includes('getCredential'));
