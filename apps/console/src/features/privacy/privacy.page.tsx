import { getRouteApi } from '@tanstack/react-router';
import { DELETION_STATES } from '../../api/privacy.js';
import { useCan } from '../../api/session.js';
import { Page } from '../../components/page.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { Audit } from './audit.js';
import { NewRegulation } from './new-regulation.js';
import { Regulations } from './regulations.js';

const route = getRouteApi('/privacy');

export function PrivacyPage() {
  const { tab = 'regulations', find = '', status: told } = route.useSearch();
  const status = DELETION_STATES.find((state) => state === told);
  const navigate = route.useNavigate();
  const [canWrite, seesAudit] = [useCan('regulations', 'write'), useCan('regulations', 'audit')];
  return (
    <Page title="Privacy" lead="Who is suppressed, what was deleted where, and who did what.">
      <Tabs
        label="Privacy"
        value={tab}
        onChange={(next) => navigate({ search: { tab: next } })}
        tabs={[
          { value: 'regulations', label: 'Regulations' },
          ...(canWrite ? [{ value: 'new', label: 'Suppress or delete' }] : []),
          ...(seesAudit ? [{ value: 'audit', label: 'Audit' }] : []),
        ]}
      >
        <TabPanel value="regulations">
          <Regulations
            find={find}
            status={status}
            onFind={(text, state) =>
              navigate({ search: { tab, ...(text && { find: text }), ...(state && { status: state }) }, replace: true })
            }
          />
        </TabPanel>
        <TabPanel value="new">
          <NewRegulation />
        </TabPanel>
        <TabPanel value="audit">
          <Audit />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
