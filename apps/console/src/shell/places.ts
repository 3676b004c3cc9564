import { Activity, Braces, Code, House, type LucideIcon, Radio, Send, Settings, ShieldCheck } from 'lucide-react';

export interface Place {
  to: '/' | '/live' | '/code' | '/sources' | '/destinations' | '/schemas' | '/privacy' | '/settings';
  label: string;
  icon: LucideIcon;
  /** `g` and then this key goes there. */
  key: string;
  /** The right that opens this place, if not every role may see it. */
  needs?: readonly [area: string, access: string];
}

/** The left navigation, the palette and the keys read this list. */
export const PLACES: readonly Place[] = [
  { to: '/', label: 'Overview', icon: House, key: 'o' },
  { to: '/live', label: 'Live', icon: Activity, key: 'l', needs: ['deliveries', 'read'] },
  { to: '/code', label: 'Code', icon: Code, key: 'c', needs: ['transformations', 'read'] },
  { to: '/sources', label: 'Sources', icon: Radio, key: 's', needs: ['inventory', 'read'] },
  { to: '/destinations', label: 'Destinations', icon: Send, key: 'd', needs: ['inventory', 'read'] },
  { to: '/schemas', label: 'Schemas', icon: Braces, key: 'e', needs: ['schemas', 'read'] },
  { to: '/privacy', label: 'Privacy', icon: ShieldCheck, key: 'p', needs: ['regulations', 'read'] },
  { to: '/settings', label: 'Settings', icon: Settings, key: 't' },
];

export const isOpenTo = ({ needs }: Place, capabilities: Record<string, string[]>): boolean =>
  !needs || (capabilities[needs[0]]?.includes(needs[1]) ?? false);
