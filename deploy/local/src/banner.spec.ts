import { expect, it } from '@jest/globals';
import { banner } from './banner.js';

const at = (dataDir: string, link?: string) => {
  const access = {
    urls: ['http://127.0.0.1:8080'],
    email: 'a@example.com',
    accessToken: 't',
    opsUrls: {},
    listens: [],
  };
  const servers = { databaseUrl: 'postgres://127.0.0.1/weir', natsUrl: 'nats://127.0.0.1' };
  return banner({ ...access, ...servers, admin: { user: 'admin', password: 'p' }, dataDir }, 1_000, link);
};

it('begins with the link that signs in, if there is one', () => {
  const link = 'http://127.0.0.1:8080/console#code=c';
  expect(at('/d', link)).toContain(`  Console                 ${link}\n`);
  expect(at('/d')).not.toContain('Console');
});

it('shows a command that can be pasted, whatever the folder is called', () => {
  expect(at('/home/ada/.weir')).toContain('  . /home/ada/.weir/env\n');
  expect(at("/home/ada/Ada's data")).toContain("  . '/home/ada/Ada'\\''s data/env'\n");
});
