import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import type { Column } from './table.js';
import { Text } from './text.js';

interface AnchorProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className' | 'children'> {
  name: string;
  ref?: Ref<HTMLAnchorElement>;
}

const Anchor = ({ name, ...link }: AnchorProps) => (
  <a {...link} className="block truncate font-medium hover:underline">
    <Text value={name} max={80} />
  </a>
);

/** The name of a resource in a list. It leads to its page, and may be text of a stranger. */
export const NameLink = createLink(Anchor);

/** The column of names in a list: rows sort by name, and each name leads to its page. */
export const nameColumn = (
  to: '/code/$id' | '/libraries/$id' | '/sources/$id' | '/destinations/$id',
): Column<{ id: string; name: string }> => ({
  name: 'Name',
  sortBy: ({ name }) => name,
  className: 'max-w-80',
  cell: ({ id, name }) => <NameLink to={to} params={{ id }} name={name} />,
});
