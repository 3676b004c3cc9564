import { expect, it } from '@jest/globals';
import { serverUrls } from './server-urls.js';

it.each([
  ['one server', 'nats://u:p@a:4222', ['nats://u:p@a:4222']],
  ['three servers', 'nats://u:p@a:1, nats://b:2,tls://c', ['nats://u:p@a:1', 'nats://b:2', 'tls://c']],
  ['a password with a comma', 'nats://u:p,q@a,nats://b', ['nats://u:p,q@a', 'nats://b']],
])('reads %s', (_what, text, urls) => {
  expect(serverUrls(text)).toEqual(urls);
});
