import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
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
