import { Link, type LinkProps } from '@tanstack/react-router';
import { Page } from './page.js';
import { Empty } from './panel.js';
import { buttonClass } from './ui/button.js';

interface MissingProps {
  /** Says what is not there: "There is no such source". */
  title: string;
  /** The list to go on from. */
  all: { label: string; to: NonNullable<LinkProps['to']> };
}

/** The page of something that was deleted, or never was. */
export const Missing = ({ title, all: { label, to } }: MissingProps) => (
  <Page title={title}>
    <Empty
      title="It was deleted, or the address is incomplete"
      action={
        <Link to={to} className={buttonClass('primary')}>
          {label}
        </Link>
      }
    />
  </Page>
);
