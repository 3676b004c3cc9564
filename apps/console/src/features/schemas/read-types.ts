import { answer, api } from '../../api/client.js';

/** TypeScript types of what was seen, of one source or of all. */
export const readTypes = (SourceName: string | undefined): Promise<string> =>
  answer(
    api.GET('/schemas/event-models/typescript', {
      params: { query: SourceName ? { SourceName } : {} },
      parseAs: 'text',
    }),
  );
