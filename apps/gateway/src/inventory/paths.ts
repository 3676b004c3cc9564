import { Ksuid } from '@weir/contracts';
import { z } from 'zod';
import { pageNumber, pathId, queryBoolean, requiredText } from '../http/fields.js';

export const SourcePath = z.object({ id: pathId('source') });
export const DestinationPath = z.object({ id: pathId('destination') });
export const ConnectionPath = z.object({ id: pathId('connection') });
export type IdPath = { id: string };

export const PageQuery = z.object({ page: pageNumber });
export type PageQuery = z.output<typeof PageQuery>;
/** Lists of objects with external ids accept this filter (wire-facts 5). */
export const ExternalIdPageQuery = PageQuery.extend({ hasExternalId: queryBoolean });
export type ExternalIdPageQuery = z.output<typeof ExternalIdPageQuery>;

export const ExternalIdBody = z.object({ externalId: requiredText });
export type ExternalIdBody = z.output<typeof ExternalIdBody>;
export const ExternalIdReply = z.object({ id: Ksuid, externalId: z.string() });
export type ExternalIdReply = z.output<typeof ExternalIdReply>;

/** Filters that the next page must keep. */
export const filtersOf = ({ hasExternalId }: ExternalIdPageQuery): Record<string, string> =>
  hasExternalId === undefined ? {} : { hasExternalId: String(hasExternalId) };
