import { getRouteApi } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { Page } from '../../components/page.js';
import { buttonClass } from '../../components/ui/button.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { useSettingsTabs } from '../../shell/settings-tabs.js';
import { Credentials } from './credentials.js';
import { Health } from './health.js';
import { Notifications } from './notifications.js';
import { Sessions } from './sessions.js';
import { Tokens } from './tokens.js';

const route = getRouteApi('/settings');

export function SettingsPage() {
  const tabs = useSettingsTabs();
  const { tab = tabs[0]?.value ?? 'sessions' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="Settings"
      actions={
        <a href="/console/operator" className={buttonClass()}>
          <Building2 size={14} aria-hidden /> Workspaces (operator)
        </a>
      }
    >
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
