import { z } from 'zod';
import { defineCall } from './call.js';
import { Ksuid, Timestamp } from './ids.js';
import type { CodeBundle } from './sandbox.js';
import { Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const AT = '2026-01-01T00:00:00.000Z';

/** Credentials of one workspace; all of them travel with every run that may read them. */
export const CREDENTIALS_MAX = 100;
/** Of all sealed values of a workspace together: beside code and events they have to fit one message. */
export const CREDENTIALS_BYTES_MAX = 65_536;

const Key = z.string().regex(/^[\w.-]{1,128}$/);

/** What user code reads with `getCredential(key)`. Only holders of the encryption key can open the value. */
export const StoredCredential = z.object({
  key: Key,
  /** A secret is never shown again; other values are, to those who may read. */
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

/** Creates or replaces. `conflict` when the workspace has no room for more. */
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

/** All of a workspace, by key. */
export const ListCredentials = defineCall({
  subject: 'registry.credential.list.v1',
  request: z.object({ workspaceId: Ksuid }),
  reply: z.object({ credentials: z.array(StoredCredential) }),
  deadlineMs: 2_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { credentials: [example] } },
});

export const DeleteCredential = defineCall({
  subject: 'registry.credential.delete.v1',
  request: z.object({ workspaceId: Ksuid, key: Key }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, key: 'crmToken' }, reply: {} },
});

/** What a sealed value is bound to: it opens for no other workspace and under no other key. */
export const credentialAad = (workspaceId: string, key: string) => `credential/${workspaceId}/${key}`;

/** Whether code names the function at all: other code is handed no secrets, and costs no question for them. */
export const usesCredentials = ({ code, libraries }: CodeBundle): boolean =>
  [code, ...libraries.map((library) => library.code)].some((text) => text.includes('getCredential'));
