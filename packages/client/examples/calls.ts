import { createClient, unwrap } from '@weir/client';

const { WEIR_URL: url = 'http://localhost:8080', WEIR_TOKEN: token } = process.env;
const weir = createClient({ url, token });

// Errors are values: `data` is there once `error` is not.
const { data, error } = await weir.POST('/v2/sources', { body: { name: 'my site', type: 'Javascript' } });
if (error) console.log(`${error.code}: ${error.message} (request ${error.requestId})`);
else console.log(`source ${data.source.id}`);

// Or they are thrown: `unwrap` gives the data.
const { workspace } = await unwrap(weir.GET('/v2/workspace'));
console.log(`workspace ${workspace.name}`);
