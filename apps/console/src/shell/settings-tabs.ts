import { useCan } from '../api/session.js';

/** The tabs of the settings that the role may open. The page and the palette read this list. */
export function useSettingsTabs(): { value: string; label: string }[] {
  const [managesTokens, writesCode] = [useCan('inventory', 'tokens'), useCan('transformations', 'write')];
  const readsTroubles = useCan('deliveries', 'read');
  return [
    ...(managesTokens ? [{ value: 'tokens', label: 'Access tokens' }] : []),
    ...(writesCode ? [{ value: 'credentials', label: 'Code credentials' }] : []),
    ...(readsTroubles ? [{ value: 'notifications', label: 'Notifications' }] : []),
    { value: 'sessions', label: 'Sessions' },
    { value: 'health', label: 'Health' },
  ];
}
