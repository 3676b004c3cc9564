import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../api/session.js';
import { Page } from '../components/page.js';
import { Empty } from '../components/panel.js';
import { Text } from '../components/text.js';
import { buttonClass } from '../components/ui/button.js';
import { Account } from './account.js';
import { Mark } from './mark.js';
import { Palette } from './palette.js';
import { closedPlace, isOpenTo, PLACES, type Place } from './places.js';

const KEY = navigator.userAgent.includes('Mac') ? '⌘K' : 'Ctrl K';

/** The frame of every page: places at the left, the page at the right. */
export function Shell() {
  const session = useSession();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  useKeys(() => setPaletteOpen((open) => !open));
  const pathname = useLocation({ select: (location) => location.pathname });
  if (pathname === '/operator') return <Outlet />;
  if (!session) return null;
  const closed = closedPlace(pathname, session.capabilities);
  const places = PLACES.filter((place) => isOpenTo(place, session.capabilities));
  return (
    <div className="flex h-full">
      <a
        href="#page"
        className="sr-only z-50 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <aside className="flex w-14 shrink-0 flex-col border-r bg-sunken/50 md:w-56">
        <div className="flex h-14 items-center gap-2.5 px-3.5">
          <Mark />
          <span className="hidden min-w-0 truncate font-semibold md:block">
            <Text value={session.workspace.name} max={80} />
          </span>
        </div>
        <div className="px-2.5">
          <button
            type="button"
            onClick={() => setPaletteOpen(true)}
            className="flex h-8 w-full items-center gap-2 rounded-md border border-line-strong bg-surface px-2 text-muted transition-colors hover:text-text"
          >
            <Search size={14} aria-hidden />
            <span className="sr-only flex-1 text-left md:not-sr-only">Search</span>
            <kbd aria-hidden className="hidden font-sans text-xs md:block">
              {KEY}
            </kbd>
          </button>
        </div>
        <nav aria-label="Places" className="flex-1 space-y-0.5 overflow-y-auto p-2.5">
          {places.map(({ to, label, icon: Icon, key }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/' }}
              aria-keyshortcuts={`g ${key}`}
              className="flex h-8 items-center gap-2.5 rounded-md px-2 font-medium text-muted transition-colors hover:bg-sunken hover:text-text data-[status=active]:bg-accent-soft data-[status=active]:text-accent-strong"
            >
              <Icon size={16} aria-hidden className="shrink-0" />
              <span className="sr-only md:not-sr-only">{label}</span>
            </Link>
          ))}
        </nav>
        <Account session={session} />
      </aside>
      <main id="page" tabIndex={-1} className="min-w-0 flex-1 overflow-y-auto outline-none">
        {closed ? <Closed place={closed} /> : <Outlet />}
      </main>
      <Palette open={isPaletteOpen} onClose={() => setPaletteOpen(false)} places={places} />
    </div>
  );
}

/** A link from a user with another role may lead here. */
const Closed = ({ place: { label } }: { place: Place }) => (
  <Page title={label}>
    <Empty
      title="Your role does not open this page"
      action={
        <Link to="/" className={buttonClass('primary')}>
          Go to the overview
        </Link>
      }
    >
      Ask an admin of the workspace for an access token with another role.
    </Empty>
  </Page>
);

/** The second key of `g o` has to come within this time. */
const CHORD_MS = 1_200;

/** ⌘K or Ctrl K opens the palette, and `g` with a letter goes to a place. Keys that are typed into a field stay there. */
function useKeys(togglePalette: () => void): void {
  const navigate = useNavigate();
  const chordUntil = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        togglePalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.composedPath()[0])) return;
      if (event.key === 'g') {
        chordUntil.current = event.timeStamp + CHORD_MS;
        return;
      }
      const place = PLACES.find(({ key }) => key === event.key);
      if (!place || event.timeStamp > chordUntil.current) return;
      chordUntil.current = 0;
      event.preventDefault();
      void navigate({ to: place.to });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, togglePalette]);
}

const isTyping = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
