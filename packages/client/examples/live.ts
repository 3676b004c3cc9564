import { createClient } from '@weir/client';

const { WEIR_URL: url = 'http://localhost:8080', WEIR_TOKEN: token } = process.env;
const weir = createClient({ url, token });

for await (const { event, data } of weir.liveEvents({ type: 'track' })) {
  if (event === 'accepted') console.log(`${data.name} arrived`);
  if (event === 'delivery' && data.outcome === 'delivered') break; // closes the connection
}
