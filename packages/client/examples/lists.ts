import { createClient } from '@weir/client';

const { WEIR_URL: url = 'http://localhost:8080', WEIR_TOKEN: token } = process.env;
const weir = createClient({ url, token });

for await (const { eventName, reason } of weir.paginate('/v2/deliveries', { params: { query: { status: 'dead' } } })) {
  console.log(`${eventName}: ${reason}`);
}
