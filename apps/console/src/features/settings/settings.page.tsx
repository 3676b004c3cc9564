import { getRouteApi } from '@tanstack/react-router';
import { useCan } from '../../api/session.js';
import { Page } from '../../components/page.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { Credentials } from './credentials.js';
import { Health } from './health.js';
import { Notifications } from './notifications.js';
import { Sessions } from './sessions.js';
import { Tokens } from './tokens.js';

const route = getRouteApi('/settings');

export function SettingsPage() {
  const [managesTokens, writesCode] = [useCan('inventory', 'tokens'), useCan('transformations', 'write')];
  const readsTroubles = useCan('deliveries', 'read');
  const tabs = [
    ...(managesTokens ? [{ value: 'tokens', label: 'Access tokens' }] : []),
    ...(writesCode ? [{ value: 'credentials', label: 'Credentials of code' }] : []),
    ...(readsTroubles ? [{ value: 'notifications', label: 'Notifications' }] : []),
    { value: 'sessions', label: 'Sessions' },
    { value: 'health', label: 'Health' },
  ];
  const { tab = tabs[0]?.value ?? 'sessions' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="Settings">
      <Tabs label="Settings" value={tab} onChange={(next) => navigate({ search: { tab: next } })} tabs={tabs}>
        <TabPanel value="tokens">
          <Tokens />
        </TabPanel>
        <TabPanel value="credentials">
          <Credentials />
        </TabPanel>
        <TabPanel value="notifications">
          <Notifications />
        </TabPanel>
        <TabPanel value="sessions">
          <Sessions />
        </TabPanel>
        <TabPanel value="health">
          <Health />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
