import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { definitionsQuery } from '../../api/inventory.js';
import { Page } from '../../components/page.js';
import { Loaded, Panel } from '../../components/panel.js';
import { Catalogue } from './catalogue.js';
import { CreateForm } from './create-form.js';

const route = getRouteApi('/destinations/new');

export function NewDestinationPage() {
  const { kind, find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const definitions = useQuery(definitionsQuery);
  return (
    <Page
      title="New destination"
      parent={{ label: 'Destinations', to: '/destinations' }}
      lead={kind ? undefined : 'Choose where events should go.'}
    >
      <Loaded query={definitions} what="The kinds of destinations">
        {(all) => {
          const chosen = all.find(({ name }) => name === kind);
          if (!chosen)
            return (
              <Catalogue
                definitions={all}
                find={find}
                onFind={(text) => navigate({ search: text ? { find: text } : {}, replace: true })}
              />
            );
          return (
            <Panel title={chosen.displayName} className="max-w-2xl">
              <CreateForm definition={chosen} />
            </Panel>
          );
        }}
      </Loaded>
    </Page>
  );
}
