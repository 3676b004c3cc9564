import { z } from 'zod';
import { defineCall } from '../call.js';
import { Ksuid, Timestamp } from '../ids.js';
import { by } from '../regulation/audit.js';
import { Text } from '../text.js';
import { AT, ID, WORKSPACE } from './objects.js';

const Link = z.object({
  destinationId: Ksuid,
  transformationId: Ksuid,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
const exampleLink = { destinationId: ID, transformationId: ID, createdAt: AT, updatedAt: AT };

/** A transformation that a destination lost to another one. */
export const Replaced = z.object({ destinationId: Ksuid, transformationId: Ksuid, name: z.string() });
export type Replaced = z.output<typeof Replaced>;

/** Links one published transformation to a destination and replaces the previous link. */
export const PutLink = defineCall({
  subject: 'registry.link.put.v1',
  request: z.object({ workspaceId: Ksuid, destinationId: Ksuid, transformationId: Ksuid, ...by }),
  reply: Link.extend({ replaced: Replaced.optional() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, destinationId: ID, transformationId: ID }, reply: exampleLink },
});

/** `not_found` without a link. */
export const GetLink = defineCall({
  subject: 'registry.link.get.v1',
  request: z.object({ workspaceId: Ksuid, destinationId: Ksuid }),
  reply: Link,
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, destinationId: ID }, reply: exampleLink },
});

/** Returns the removed link. `not_found` without one. */
export const DeleteLink = defineCall({
  subject: 'registry.link.delete.v1',
  request: z.object({ workspaceId: Ksuid, destinationId: Ksuid, ...by }),
  reply: Link,
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, destinationId: ID }, reply: exampleLink },
});

export const SetExternalId = defineCall({
  subject: 'registry.external-id.set.v1',
  request: z.object({
    workspaceId: Ksuid,
    kind: z.enum(['transformation', 'library']),
    id: Ksuid,
    externalId: Text.max(256),
  }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, kind: 'library', id: ID, externalId: 'mine' }, reply: {} },
});
