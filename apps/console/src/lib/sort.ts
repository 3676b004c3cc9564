/** The order of a list, as the address has it: the name of a column, with `-` in front for the largest first. */
export type Sort = { id: string; desc: boolean }[];

export function sortIn(text: unknown): Sort {
  if (typeof text !== 'string' || text === '') return [];
  return text.startsWith('-') ? [{ id: text.slice(1), desc: true }] : [{ id: text, desc: false }];
}

/** Undefined for the order in which the rows came. */
export const sortText = ([first]: Sort): string | undefined => first && (first.desc ? `-${first.id}` : first.id);
