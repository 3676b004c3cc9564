import { Activity, Braces, Code, House, type LucideIcon, Radio, Send, Settings, ShieldCheck } from 'lucide-react';

export interface Place {
  to: '/' | '/live' | '/code' | '/sources' | '/destinations' | '/schemas' | '/privacy' | '/settings';
  label: string;
  icon: LucideIcon;
  /** `g` and then this key goes there. */
  key: string;
  /** The addresses of its other pages, which the menu does not list. */
  holds?: readonly string[];
  /** The right that opens this place, if not every role may see it. */
  needs?: readonly [area: string, access: string];
}

/** The left navigation, the palette and the keys read this list. */
export const PLACES: readonly Place[] = [
  { to: '/', label: 'Overview', icon: House, key: 'o' },
  { to: '/live', label: 'Live', icon: Activity, key: 'l', holds: ['/events'], needs: ['deliveries', 'read'] },
  { to: '/code', label: 'Code', icon: Code, key: 'c', holds: ['/libraries'], needs: ['transformations', 'read'] },
  { to: '/sources', label: 'Sources', icon: Radio, key: 's', needs: ['inventory', 'read'] },
  { to: '/destinations', label: 'Destinations', icon: Send, key: 'd', needs: ['inventory', 'read'] },
  { to: '/schemas', label: 'Schemas', icon: Braces, key: 'e', needs: ['schemas', 'read'] },
  { to: '/privacy', label: 'Privacy', icon: ShieldCheck, key: 'p', needs: ['regulations', 'read'] },
  { to: '/settings', label: 'Settings', icon: Settings, key: 't' },
];

/** The pages that make something take more than to look at it. */
const MAKING: Record<string, Place['needs']> = {
  '/code/new': ['transformations', 'write'],
  '/libraries/new': ['transformations', 'write'],
  '/sources/new': ['inventory', 'write'],
  '/destinations/new': ['inventory', 'write'],
};

type Capabilities = Readonly<Record<string, readonly string[]>>;

const mayOpen = (needs: Place['needs'], capabilities: Capabilities): boolean =>
  !needs || (capabilities[needs[0]]?.includes(needs[1]) ?? false);

export const isOpenTo = ({ needs }: Place, capabilities: Capabilities): boolean => mayOpen(needs, capabilities);

/** The place of a page that a role may not open, by its address. Undefined for all that it may. */
export function closedPlace(pathname: string, capabilities: Capabilities): Place | undefined {
  const holdsPage = (path: string) => path !== '/' && `${pathname}/`.startsWith(`${path}/`);
  const place = PLACES.find(({ to, holds = [] }) => [to, ...holds].some(holdsPage));
  const isOpen = !place || (isOpenTo(place, capabilities) && mayOpen(MAKING[pathname], capabilities));
  return isOpen ? undefined : place;
}
